import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Config, defaultConfig } from '../../platform/config.ts'
import { readMeasurement } from '../../recognition/measure/stored-measurement.ts'
import { plainSentence, speak } from '../../recognition/testing/speak.ts'
import { modelMeasure } from './model-measure.ts'

let directory: string
let config: Config
let clips: string
beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  directory = await mkdtemp(join(tmpdir(), 'parley-measured-'))
  config = { ...defaultConfig, dataDir: join(directory, 'data'), recognizer: 'pocketsphinx' }
  clips = join(directory, 'clips')
  await mkdir(clips)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(directory, { recursive: true })
})

it('recordings with their words are heard, and what was found is kept', { timeout: 60_000 }, async () => {
  const spoken = await speak(plainSentence)
  await copyFile(spoken, join(clips, 'right.wav'))
  await writeFile(join(clips, 'right.txt'), plainSentence)
  await copyFile(spoken, join(clips, 'other.wav'))
  await writeFile(join(clips, 'other.txt'), 'Nothing of this is said there, not a single word.')
  await writeFile(join(clips, 'no-sound.txt'), 'Words alone.')
  const lines = await modelMeasure(config, clips)
  expect(lines).toMatchObject([
    { clip: 'other.wav', words: 10, sound_seconds: expect.any(Number) },
    { clip: 'right.wav', words: 13, speed: expect.any(Number) },
    { engine: 'pocketsphinx', words: 23, memory_megabytes: expect.any(Number), kept: true },
  ])
  const [other, right, sum] = lines as { wrong: number; wrong_percent: number; memory_megabytes: number }[]
  expect(right?.wrong_percent).toBeLessThan(30)
  expect(other?.wrong_percent).toBeGreaterThanOrEqual(100)
  // The model alone takes more.
  expect(sum?.memory_megabytes).toBeGreaterThan(20)
  const kept = readMeasurement(config, 'pocketsphinx')
  expect(kept).toMatchObject({ recordings: 'own', wrong: (other?.wrong ?? 0) + (right?.wrong ?? 0), words: 23 })
  expect(kept?.wrong_percent).toBe(sum?.wrong_percent)
})

it.each<[string, () => Promise<unknown>, RegExp]>([
  ['no such folder', () => modelMeasure(config, join(clips, 'nowhere')), /nowhere cannot be read: /],
  ['no recording with a text', () => modelMeasure(config, clips), /no recording with its words beside it: NAME\.wav/],
  ['no engine', () => modelMeasure({ ...config, recognizer: 'http' }, clips), /RECOGNIZER_URL is not set/],
  ['a text without words', () => measureFile('…\n'), /^clip\.txt has no words\.$/],
  ['a recording without sound', () => measureFile('Some words'), /^No sound could be read from clip\.wav\.$/],
])('%s is a sentence, and nothing is kept', async (_name, measure, words) => {
  await expect(measure()).rejects.toMatchObject({ name: 'StartError', message: expect.stringMatching(words) })
  expect(readMeasurement(config, 'pocketsphinx')).toBeNull()
})

async function measureFile(text: string) {
  await writeFile(join(clips, 'clip.wav'), 'not sound')
  await writeFile(join(clips, 'clip.txt'), text)
  return await modelMeasure(config, clips)
}
