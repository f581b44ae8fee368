import { afterEach, expect, it } from 'vitest'
import { wordRecords } from '../../contract/interface/words.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { type FakeRecognizer, startFakeRecognizer } from './testing/fake-recognizer.ts'
import { makeSparseSpeech } from './testing/made-speech.ts'

const minutes = 21
const pieces = minutes * 3
const limits = { timeout: 120_000 }

let kit: TestService
let server: FakeRecognizer
afterEach(async () => {
  await kit.close()
  await server.close()
})

it(
  'a recording is recognized in several places at once, with the words, progress and text of a sequential run',
  limits,
  async () => {
    server = await startFakeRecognizer()
    kit = await startTestService({ recognizer: 'http', recognizerUrl: server.url, workerParallel: 2 })
    const { key } = await kit.account()
    const { promise: gate, resolve: open } = Promise.withResolvers<'answer'>()
    // The worker with the beginning waits; the other one recognizes all the rest.
    server.before = (count) => (count === 1 ? gate : 'answer')
    const { id } = await kit.order(key, makeSparseSpeech(minutes), '?transcript_type=automated')
    const stored = () => kit.platform.db.selectFrom('pieces').select('start_ms').where('file_id', '=', id).execute()
    const behind = await kit.until(async () => {
      const sections = kit.platform.db.selectFrom('jobs').select('step').where('file_id', '=', id)
      const steps = await sections.where('kind', '=', 'speech').execute()
      return steps.length === 1 && steps[0]?.step === 'hear' && (await stored())
    })
    expect(Math.min(...behind.map(({ start_ms }) => start_ms))).toBeGreaterThan(8 * 60_000)
    const { progress_percent } = await kit.metadata(key, id)
    expect(progress_percent).toBeGreaterThan(50)
    expect(progress_percent).toBeLessThan(70)
    expect(await (await kit.fetch(key, `file/${id}`)).text(), 'nothing behind the gap').not.toContain('heard')
    open('answer')
    await kit.until(async () => (await kit.metadata(key, id)).progress_percent === 100)
    const words = wordRecords.parse(await (await kit.fetch(key, `file/${id}.json`)).json())
    expect(words.map(({ start }) => start)).toEqual(words.map(({ start }) => start).toSorted((a, b) => a - b))
    expect(words).toHaveLength(2 * pieces)
    expect(new Set(words.map(({ word }) => word)).size, 'each said once, beside "heard"').toBe(pieces + 1)
    expect(server.asked).toHaveLength(pieces)
    for (const table of ['pieces', 'recognitions'] as const) {
      expect(await kit.platform.db.selectFrom(table).select('file_id').execute()).toEqual([])
    }
    expect(await kit.platform.blobs.size(id, 'sound/0')).toBeNull()
  },
)

it('lost audio is decoded again, and no word is duplicated', limits, async () => {
  server = await startFakeRecognizer()
  kit = await startTestService({ recognizer: 'http', recognizerUrl: server.url, workerParallel: 1 })
  const { key } = await kit.account()
  const { promise: hung, resolve: tell } = Promise.withResolvers<void>()
  server.before = (count) => {
    if (count < 40) return 'answer'
    tell()
    return 'hang'
  }
  const { id } = await kit.order(key, makeSparseSpeech(minutes), '?transcript_type=automated')
  await hung
  await kit.platform.blobs.remove(id, 'sound')
  server.before = () => 'answer'
  await kit.restart()
  await kit.until(async () => (await kit.metadata(key, id)).progress_percent === 100)
  const words = wordRecords.parse(await (await kit.fetch(key, `file/${id}.json`)).json())
  expect(words).toHaveLength(2 * pieces)
})
