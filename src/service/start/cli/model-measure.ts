import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Config } from '../../platform/config.ts'
import { findScratchDir } from '../../platform/data-directory.ts'
import { StartError } from '../../platform/start-error.ts'
import { createEngineChoice } from '../../recognition/choose-engine.ts'
import { EngineError } from '../../recognition/engine.ts'
import { findClips, makeClips } from '../../recognition/measure/measure-clips.ts'
import { type ClipResult, measureEngine } from '../../recognition/measure/measure-engine.ts'
import { explainSilence, keepMeasurement, type Measurement } from '../../recognition/measure/stored-measurement.ts'

const tenths = (value: number) => Math.round(value * 10) / 10
const percentOf = ({ wrong, words }: Pick<ClipResult, 'wrong' | 'words'>) => tenths((100 * wrong) / words)

/** Numbers that a person reads; `speed`: seconds of sound in a second. */
function figures(result: Omit<ClipResult, 'clip'>) {
  const { words, wrong, sound_seconds, took_seconds } = result
  const times = { sound_seconds: tenths(sound_seconds), took_seconds: tenths(took_seconds) }
  return { words, wrong, wrong_percent: percentOf(result), ...times, speed: tenths(sound_seconds / took_seconds) }
}

/**
 * `model measure [DIR]`: has the recognizer hear recordings whose words are known, prints a line for each and their sum,
 * and keeps it for the order page. Without a folder it makes a few with a synthetic voice.
 * @throws StartError without a recognizer or recordings, or if it fails
 */
export async function modelMeasure(config: Config, directory: string | undefined): Promise<object[]> {
  await mkdir(findScratchDir(config), { recursive: true })
  const made = await mkdtemp(join(tmpdir(), 'parley-measure-'))
  // What is here is measured: nothing is downloaded for it.
  const choice = createEngineChoice({ ...config, offline: true }, pino({ level: 'silent' }))
  try {
    const chosen = await choice.choose()
    if (chosen.engine === null) throw new StartError(chosen.reason)
    const clips = await (directory === undefined ? makeClips(made) : findClips(directory))
    const lines: object[] = []
    const found = await measureEngine(chosen.engine, clips, ({ clip, ...result }) => {
      lines.push({ clip, ...figures(result) })
      console.error(`${clip}: ${percentOf(result)} % of ${result.words} words wrong`)
    })
    const measurement: Measurement = {
      ...found,
      wrong_percent: percentOf(found),
      measured_at: new Date().toISOString(),
      recordings: directory === undefined ? 'made' : 'own',
    }
    keepMeasurement(config, chosen.name, measurement)
    const silence = explainSilence(measurement)
    if (silence !== null) console.error(silence)
    const memory = found.memory_bytes === null ? null : Math.round(found.memory_bytes / 1e6)
    return [...lines, { engine: chosen.name, ...figures(found), memory_megabytes: memory, kept: true }]
  } catch (error) {
    throw error instanceof EngineError ? new StartError(error.message, { cause: error }) : error
  } finally {
    await choice.close()
    await rm(made, { recursive: true })
  }
}
