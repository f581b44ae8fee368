import { execFileSync } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type FakeRecognizer, startFakeRecognizer } from '../../../src/service/recognition/testing/fake-recognizer.ts'
import { makeSparseSpeech } from '../../../src/service/recognition/testing/made-speech.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { Nodes } from '../torture/nodes.ts'
import { comesTrue, newKey } from '../torture/rounds.ts'
import type { Bench, Measurement } from './measurement.ts'
import { unlessShort } from './short.ts'

const killMinutes = unlessShort(60, 15)
const workers = unlessShort([1, 2, 4], [1])
/**
 * Simulated duration of a piece of 20 s, asleep. A piece also costs this machine about 60 ms of processor time; two
 * cores suffice for four workers only if they mostly sleep.
 */
const pieceMs = unlessShort(500, 20)
const unitMinutes = 5
const withinMs = 30 * 60_000

async function makeRecording(directory: string, length: number): Promise<string> {
  const [unit, whole] = [join(directory, 'unit.wav'), join(directory, `${length}.flac`)]
  await writeFile(unit, makeSparseSpeech(unitMinutes))
  const loops = ['-stream_loop', String(length / unitMinutes - 1), '-i', unit]
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...loops, '-ar', '8000', '-compression_level', '0', whole])
  return whole
}

type Heard = { tookMs: number; firstMs: number; words: number; spoken: number; asked: number }

/**
 * Recognizes one recording with `count` workers, each with room for one section.
 * @param midway called at half progress
 */
async function hear(
  count: number,
  recording: string,
  recognizer: FakeRecognizer,
  midway?: (nodes: Nodes) => Promise<void>,
): Promise<Heard> {
  const environment = { RECOGNIZER: 'http', RECOGNIZER_URL: recognizer.url.href, WORKER_PARALLEL: '1' }
  const nodes = await Nodes.start(count, environment)
  const asked = recognizer.asked.length
  try {
    const key = await newKey(nodes.first, 'sandbox')
    const form = new FormData()
    form.append('file', await openAsBlob(recording, { type: 'audio/flac' }), 'recording.flac')
    await askApi(nodes.first.url, key, 'files?transcript_type=automated', { method: 'POST', body: form })
    const startedMs = performance.now()
    const file = () => nodes.db.selectFrom('files').select(['id', 'progress_percent']).executeTakeFirstOrThrow()
    const isHeard = async () =>
      (await nodes.db.selectFrom('pieces').select('position').executeTakeFirst()) !== undefined
    await comesTrue(isHeard, withinMs)
    const firstMs = performance.now() - startedMs
    if (midway !== undefined) {
      await comesTrue(async () => (await file()).progress_percent >= 50, withinMs)
      await midway(nodes)
    }
    await comesTrue(async () => (await file()).progress_percent === 100, withinMs)
    const tookMs = performance.now() - startedMs
    const { id } = await file()
    const answer = await askApi(nodes.first.url, key, `file/${id}.json`)
    const words = (await answer.json()) as { start: number }[]
    const spoken = new Set(words.map(({ start }) => start)).size
    return { tookMs, firstMs, words: words.length, spoken, asked: recognizer.asked.length - asked }
  } finally {
    await nodes.remove()
  }
}

/** Kills a worker half-way: measures how much of the recording is recognized twice. */
async function death(recording: string, recognizer: FakeRecognizer): Promise<Measurement[]> {
  const died = await hear(3, recording, recognizer, async (nodes) => {
    await nodes.at(2).kill()
    await nodes.endLeases()
  })
  const expected = 2 * 3 * killMinutes
  const again = (died.asked - expected / 2) / 3
  return [
    { what: 'a worker of 3 killed: sound heard a second time', value: again, unit: 'min', goal: { atMost: 10 } },
    {
      what: 'a worker of 3 killed: words missing or twice',
      value: Math.abs(died.words - expected) + died.words - died.spoken,
      unit: '',
      goal: { atMost: 0 },
    },
  ]
}

/**
 * `npm run bench -- sections --hours 10`: one long recording with 1, 2 and 4 workers, and a recognizer that only
 * sleeps.
 */
export const benchSections: Bench = async ({ hours = unlessShort('10', '0.25') }) => {
  const minutes = Number(hours) * 60
  const recognizer = await startFakeRecognizer()
  recognizer.before = () => wait(pieceMs, 'answer' as const)
  const directory = await mkdtemp(join(tmpdir(), 'parley-sections-'))
  try {
    const recording = await makeRecording(directory, minutes)
    const measurements: Measurement[] = []
    let aloneMs = Number.NaN
    for (const count of workers) {
      const { tookMs, firstMs } = await hear(count, recording, recognizer)
      if (count === 1) aloneMs = tookMs
      const what = `${hours} h of sound, ${count} worker${count === 1 ? '' : 's'}`
      const goal = count === 4 ? { goal: { atLeast: 3.3 } } : {}
      measurements.push(
        { what, value: tookMs / 1_000, unit: 's' },
        { what: `${what}: times as quick as one`, value: aloneMs / tookMs, unit: '', ...goal },
        { what: `${what}: first words after`, value: firstMs / 1_000, unit: 's', goal: { atMost: 10 } },
      )
      console.error(`${what}: ${Math.round(tookMs / 1_000)} s, first words after ${Math.round(firstMs)} ms`)
    }
    return [...measurements, ...(await death(await makeRecording(directory, killMinutes), recognizer))]
  } finally {
    await recognizer.close()
    await rm(directory, { recursive: true })
  }
}
