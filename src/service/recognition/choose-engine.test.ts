import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Config, defaultConfig } from '../platform/config.ts'
import { createEngineChoice, type EngineChoice } from './choose-engine.ts'
import { PocketsphinxEngine } from './engines/pocketsphinx.ts'
import { keepMeasurement } from './measure/stored-measurement.ts'
import { writeStubModel } from './testing/stub-model.ts'

const log = pino({ level: 'silent' })
const absent = new PocketsphinxEngine({ modelDir: null, accurate: false, command: 'no-such-recognizer' })
/** Any executable will do: only its presence is checked. */
const present = new PocketsphinxEngine({ modelDir: null, accurate: false, command: 'true' })

let directory: string
let stubs: string
let choice: EngineChoice | null = null
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'parley-choice-'))
  stubs = join(directory, 'stubs')
  await writeStubModel(stubs)
})
afterEach(() => choice?.close())
afterAll(() => rmSync(directory, { recursive: true }))

function choose(config: Partial<Config>, parts: Parameters<typeof createEngineChoice>[2] = {}) {
  choice = createEngineChoice({ ...defaultConfig, dataDir: directory, offline: true, ...config }, log, parts)
  return choice.choose()
}

const url = new URL('http://127.0.0.1:9/v1')

describe('RECOGNIZER=auto', () => {
  it('prefers a configured server', async () => {
    expect(await choose({ recognizerUrl: url, modelDir: stubs }, { pocketsphinx: present })).toMatchObject({
      name: 'server 127.0.0.1:9',
    })
  })

  it('then prefers the given model folder', async () => {
    expect(await choose({ modelDir: stubs }, { pocketsphinx: present })).toMatchObject({ name: 'model of MODEL_DIR' })
  })

  it('falls back to pocketsphinx without a model', async () => {
    expect(await choose({}, { pocketsphinx: present })).toMatchObject({
      name: 'pocketsphinx',
      note: expect.stringContaining('one word in four'),
    })
    expect(await choose({ modelDir: '/nowhere' }, { pocketsphinx: present })).toMatchObject({ name: 'pocketsphinx' })
    expect(await choose({}, { pocketsphinx: present, hasAddon: () => false })).toMatchObject({ name: 'pocketsphinx' })
  })

  it('waits if there is no engine, listing remedies', async () => {
    const chosen = await choose({}, { pocketsphinx: absent })
    expect(chosen.engine).toBeNull()
    const reason = chosen.engine === null ? chosen.reason : ''
    for (const remedy of ['apt-get install pocketsphinx', 'model fetch', 'RECOGNIZER_URL'])
      expect(reason).toContain(remedy)
    expect(reason).not.toContain(directory)
  })

  it('sees a model that comes later', async () => {
    const folder = join(directory, 'later')
    expect(await choose({ modelDir: folder }, { pocketsphinx: absent })).toMatchObject({ engine: null })
    await writeStubModel(folder)
    expect(await choice?.choose()).toMatchObject({ name: 'model of MODEL_DIR' })
  })
})

describe('the description for customers', () => {
  const nothing = { reason: null, model_download: null, measured: null }

  it.each<[string, Partial<Config>, PocketsphinxEngine, object]>([
    ['a server', { recognizerUrl: url }, present, { engine: 'http', language: null, quality: 'unknown', ...nothing }],
    ['pocketsphinx', {}, present, { engine: 'pocketsphinx', language: 'en', quality: 'unknown', ...nothing }],
    ['nothing', {}, absent, { engine: null, reason: expect.stringContaining('model fetch'), model_download: null }],
  ])('%s and what it is worth', async (_, config, pocketsphinx, told) => {
    await choose(config, { pocketsphinx })
    expect(await choice?.describe()).toMatchObject(told)
  })

  it('speaks of the last measurement of the engine as it is configured, and of no other', async () => {
    const config = { ...defaultConfig, dataDir: mkdtempSync(join(directory, 'measured-')) }
    const sums = { words: 300, wrong: 18, sound_seconds: 60, took_seconds: 20, memory_bytes: null }
    const told = { wrong_percent: 6, words: 300, measured_at: '2026-11-27T04:00:00.000Z', recordings: 'own' as const }
    keepMeasurement(config, 'pocketsphinx', { ...sums, ...told, wrong_percent: 40 })
    keepMeasurement(config, 'pocketsphinx', { ...sums, ...told, words: 299 })
    await choose(config, { pocketsphinx: present })
    expect(await choice?.describe()).toMatchObject({ quality: 'unknown', measured: null })
    await choice?.close()
    keepMeasurement(config, 'pocketsphinx', { ...sums, ...told })
    await choose(config, { pocketsphinx: present })
    expect(await choice?.describe()).toMatchObject({ quality: 'good', measured: told })
    await choice?.close()
    await choose({ ...config, recognizerModel: 'accurate' }, { pocketsphinx: present })
    expect(await choice?.describe()).toMatchObject({ quality: 'unknown', measured: null })
    keepMeasurement(config, 'pocketsphinx', { ...sums, ...told, wrong_percent: 15 })
    await choice?.close()
    await choose(config, { pocketsphinx: present })
    expect(await choice?.describe()).toMatchObject({ quality: 'low' })
  })

  it('a model that is on its way, which asking does not start', async () => {
    const asked = Promise.withResolvers<void>()
    const server = createServer((_, response) => {
      response.writeHead(200).write(Buffer.alloc(50_000))
      asked.resolve()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const modelUrl = [new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)]
    const config = { ...defaultConfig, dataDir: mkdtempSync(join(directory, 'data-')), modelUrl }
    choice = createEngineChoice(config, log, { pocketsphinx: present, hasAddon: () => true })
    expect(await choice.describe()).toMatchObject({ engine: 'pocketsphinx', model_download: null })
    void choice.choose()
    await asked.promise
    await expect
      .poll(() => choice?.describe())
      .toMatchObject({
        engine: null,
        reason: null,
        model_download: { bytes: 50_000, total_bytes: expect.any(Number) },
      })
    await choice.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('which engine hears the next order, and why', () => {
  it.each<[string, Partial<Config>, PocketsphinxEngine, boolean]>([
    ['server 127.0.0.1:9 hears the next order: RECOGNIZER_URL is set.', { recognizerUrl: url }, present, true],
    ['pocketsphinx hears the next order: RECOGNIZER says so.', { recognizer: 'pocketsphinx' }, present, true],
    ['pocketsphinx hears the next order: no speech model is installed, downloads are disabled', {}, present, true],
    ['pocketsphinx hears the next order: sherpa-onnx is not installed', {}, present, false],
    ['pocketsphinx hears the next order: MODEL_DIR has no complete model', { modelDir: '/nowhere' }, present, true],
    ['waits for it: none is installed. If it cannot be downloaded, pocketsphinx', { offline: false }, present, true],
    ['No speech recognizer is available.', {}, absent, true],
  ])('%s', async (words, config, pocketsphinx, hasAddon) => {
    choice = createEngineChoice({ ...defaultConfig, dataDir: directory, offline: true, ...config }, log, {
      pocketsphinx,
      hasAddon: () => hasAddon,
    })
    expect((await choice.explain()).says).toContain(words)
  })
})

describe('one named engine', () => {
  it.each<[Config['recognizer'], Partial<Config>, string]>([
    ['http', {}, 'RECOGNIZER_URL is not set'],
    ['sherpa', {}, 'No speech model has been downloaded yet'],
    ['sherpa', { modelDir: '/nowhere' }, 'does not contain a complete model'],
    ['pocketsphinx', {}, 'pocketsphinx is not installed'],
  ])('%s waits with what it lacks and takes no other', async (recognizer, config, reason) => {
    const chosen = await choose(
      { recognizer, ...config },
      { pocketsphinx: recognizer === 'pocketsphinx' ? absent : present },
    )
    expect(chosen).toEqual({ engine: null, reason: expect.stringContaining(reason) })
  })
})
