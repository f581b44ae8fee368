import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { EngineAwayError, type Piece } from '../engine.ts'
import { findInFolder } from '../models/model-supply.ts'
import { makeSound } from '../testing/made-speech.ts'
import { stubConfidence, stubVoiceLength, writeStubModel } from '../testing/stub-model.ts'
import { joinTokens } from './join-tokens.ts'
import { hasSherpaAddon, SherpaEngine } from './sherpa.ts'

const never = new AbortController().signal

describe('joining tokens', () => {
  it('makes words with the end of their last token and the mean of their probabilities', () => {
    const words = joinTokens({
      tokens: [' bra', 'vo', ',', '▁Char', 'lie'],
      timestamps: [0.64, 0.88, 1.12, 1.36, 1.6],
      durations: [0.24, 0.16, 0, 0.24, 0.08],
      ys_log_probs: [-0.1, -0.2, -0.3, 0, -0.4],
    })
    expect(words).toEqual([
      { text: 'bravo,', start: 0.64, end: 1.12, confidence: Math.exp(-0.2) },
      { text: 'Charlie', start: 1.36, end: expect.closeTo(1.68), confidence: Math.exp(-0.2) },
    ])
  })

  it('keeps every letter, whatever tokens come', () => {
    const token = fc
      .tuple(fc.constantFrom('▁', ' ', ''), fc.stringMatching(/^[a-z.,']{0,4}$/))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(token), fc.boolean(), (tokens, withDurations) => {
        const timestamps = tokens.map((_, index) => index / 10)
        const durations = withDurations ? { durations: tokens.map(() => 0.08) } : {}
        const words = joinTokens({ tokens, timestamps, ...durations })
        expect(words.map(({ text }) => text).join('')).toBe(tokens.join('').replaceAll(/[▁ ]/g, ''))
        for (const { start, end } of words) expect(end).toBeGreaterThanOrEqual(start)
      }),
    )
  })
})

describe.skipIf(!hasSherpaAddon())('sherpa (needs its addon, sherpa-onnx-node)', () => {
  let directory: string
  const pcm = makeSound([
    { kind: 'speech', ms: 3_000 },
    { kind: 'silence', ms: 1_000 },
    { kind: 'speech', ms: 5_000 },
    { kind: 'silence', ms: 2_000 },
  ])
  const piece: Piece = { position: 0, startMs: 0, endMs: 11_000, resumeMs: 11_000, pcm }
  const engines: SherpaEngine[] = []

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'parley-sherpa-'))
    await writeStubModel(directory)
  })
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()))
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  async function engineOf(folder: string, tryAgainAfterMs?: number): Promise<SherpaEngine> {
    const files = await findInFolder(folder)
    if (files === null) throw new Error('The folder holds no model.')
    const engine = new SherpaEngine('stub', files, tryAgainAfterMs)
    engines.push(engine)
    return engine
  }

  it('gives words with times and confidences through the native addon', async () => {
    const words = await (await engineOf(directory)).recognize(piece, never)
    expect(words.slice(0, 3).map(({ text }) => text)).toEqual(['alpha', 'bravo,', 'Charlie.'])
    expect(words.length).toBeGreaterThan(9)
    for (const [index, { start, end, confidence }] of words.entries()) {
      expect(end).toBeGreaterThan(start)
      expect(start).toBeGreaterThanOrEqual(words[index - 1]?.start ?? 0)
      expect(confidence).toBeCloseTo(stubConfidence, 3)
    }
  })

  it('detects speech deterministically', async () => {
    const engine = await engineOf(directory)
    const runs = await engine.detectSpeech(pcm, never)
    // In frames of 10 ms, to a tenth of a second.
    const edges = (runs ?? []).flatMap(({ start, end }) => [start, end])
    expect(edges).toHaveLength(4)
    for (const [index, expected] of [0, 300, 400, 900].entries())
      expect(Math.abs((edges[index] ?? 0) - expected)).toBeLessThanOrEqual(10)
    expect(await engine.detectSpeech(pcm, never)).toEqual(runs)
  })

  it('gives a voice as a vector', async () => {
    const embedding = await (await engineOf(directory)).embedVoice(piece.pcm, never)
    expect(embedding?.length).toBe(stubVoiceLength)
  })

  it('aborts, and recognizes the next piece', async () => {
    const engine = await engineOf(directory)
    const stop = new AbortController()
    const stopped = engine.recognize(piece, stop.signal)
    stop.abort()
    await expect(stopped).rejects.toThrow(/abort/)
    expect((await engine.recognize(piece, never)).length).toBeGreaterThan(9)
  })

  it('survives a model that was cut short, which ends the native process', async () => {
    const broken = mkdtempSync(join(directory, 'broken-'))
    await writeStubModel(broken)
    truncateSync(join(broken, 'encoder.onnx'), 300)
    const engine = await engineOf(broken)
    await expect(engine.recognize(piece, never)).rejects.toThrow(/cannot be loaded/)
    expect(await engine.state()).toEqual({ ready: false, reason: expect.stringContaining('model verify') })
    const patient = await engineOf(broken, 0)
    await expect(patient.recognize(piece, never)).rejects.toThrow(EngineAwayError)
    await writeStubModel(broken)
    expect(await patient.state()).toMatchObject({ ready: true })
    expect((await patient.recognize(piece, never)).length).toBeGreaterThan(9)
  })

  it('rejects a folder with a missing, empty or mismatching part', async () => {
    expect(await findInFolder(join(directory, 'nowhere'))).toBeNull()
    const empty = mkdtempSync(join(directory, 'empty-'))
    for (const name of ['encoder.onnx', 'decoder.onnx', 'joiner.onnx']) writeFileSync(join(empty, name), 'x')
    expect(await findInFolder(empty)).toBeNull()
    writeFileSync(join(empty, 'tokens.txt'), '')
    expect(await findInFolder(empty)).toBeNull()
    // Same length as the pinned one, different content.
    writeFileSync(join(empty, 'tokens.txt'), Buffer.alloc(9_953, readFileSync(join(directory, 'tokens.txt'))))
    expect(await findInFolder(empty)).toBeNull()
  })
})
