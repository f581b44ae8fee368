import { execFileSync } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { plainSentence, speak } from '../../../src/service/recognition/testing/speak.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { percentOf } from '../../kit/staff-work.ts'
import { comesTrue } from '../torture/rounds.ts'
import { keepToCores } from './keep-to-cores.ts'
import type { Bench } from './measurement.ts'
import { unlessShort } from './short.ts'

/** Long enough for two sections; a sentence every quarter of a minute is quickly recognized. */
const minutes = unlessShort(22, 1)
const sentenceSeconds = 15
const withinMs = 30 * 60_000

/** Milliseconds from the order until its transcript is ready, in the embedded mode. */
async function hear(recording: string, cores: 'one' | 'all'): Promise<number> {
  const service = await ServiceProcess.start({ RECOGNIZER: 'pocketsphinx', OFFLINE: '1', LOG_LEVEL: 'warn' })
  try {
    // Child processes inherit it.
    if (cores === 'one') keepToCores(service.pid, '0')
    const { key } = await service.createAccount('sandbox')
    const form = new FormData()
    form.append('file', await openAsBlob(recording, { type: 'audio/flac' }), 'recording.flac')
    const startedMs = performance.now()
    const ordered = await askApi(service.url, key, 'files?transcript_type=automated', { method: 'POST', body: form })
    const { id } = (await ordered.json()) as { id: string }
    const isReady = async () => (await percentOf(service, key, id)) === 100
    await comesTrue(isReady, withinMs)
    return performance.now() - startedMs
  } finally {
    await service.remove()
  }
}

/**
 * `npm run bench -- cores`: one recording in the embedded mode, on one core and on all, with a CPU-bound recognizer.
 */
export const benchCores: Bench = async () => {
  const sentence = await speak(plainSentence)
  const [unit, recording] = ['unit.wav', 'recording.flac'].map((name) => join(dirname(sentence), name)) as [
    string,
    string,
  ]
  try {
    const padded = ['-af', `apad=whole_dur=${sentenceSeconds}`, '-ar', '16000', unit]
    execFileSync('ffmpeg', ['-v', 'error', '-i', sentence, ...padded])
    const times = String((minutes * 60) / sentenceSeconds - 1)
    execFileSync('ffmpeg', ['-v', 'error', '-stream_loop', times, '-i', unit, recording])
    const [oneMs, allMs] = [await hear(recording, 'one'), await hear(recording, 'all')]
    const cores = availableParallelism()
    return [
      { what: `${minutes} min of sound, one core`, value: oneMs / 1_000, unit: 's' },
      { what: `${minutes} min of sound, ${cores} cores`, value: allMs / 1_000, unit: 's' },
      { what: 'times as quick', value: oneMs / allMs, unit: '', goal: { atLeast: 0.85 * cores } },
    ]
  } finally {
    await rm(dirname(sentence), { recursive: true })
  }
}
