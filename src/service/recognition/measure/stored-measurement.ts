import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Measured } from '../../../contract/account/account.ts'
import type { Config } from '../../platform/config.ts'
import { dataPaths } from '../../platform/data-directory.ts'

/** What `model measure` found of one engine. */
export type Measurement = Measured & {
  /** words that are wrong, missing or too many */
  wrong: number
  /** length of the recordings, and how long hearing them took, in seconds */
  sound_seconds: number
  took_seconds: number
  /** most memory of the engine's processes, in bytes; null: it has none here, or the system does not say */
  memory_bytes: number | null
}

/** In fewer words of one's own recordings one mistake more or less is a percent. Made ones are always the same. */
const fewestWords = 300

/** Why customers are told nothing of a measurement; null: they are told. */
export function explainSilence({ recordings, words }: Measured): string | null {
  if (recordings === 'made' || words >= fewestWords) return null
  return `${words} words are too few to promise anything by: from ${fewestWords} on the order page speaks of them.`
}

type Measurements = Readonly<Record<string, Measurement>>

/** Names an engine as it is configured: what was measured of one says nothing of another. */
function measuredName({ recognizerModel, modelDir }: Config, engineName: string): string {
  return [engineName, recognizerModel ?? '', modelDir ?? ''].join('|')
}

function readAll(dataDir: string): Measurements {
  const path = dataPaths(dataDir).measurements
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Measurements) : {}
}

/** The last measurement of an engine on this data directory; null: it was not measured yet. */
export function readMeasurement(config: Config, engineName: string): Measurement | null {
  return readAll(config.dataDir)[measuredName(config, engineName)] ?? null
}

/** Keeps a measurement in the place of the engine's former one. */
export function keepMeasurement(config: Config, engineName: string, measurement: Measurement): void {
  const path = dataPaths(config.dataDir).measurements
  const all = { ...readAll(config.dataDir), [measuredName(config, engineName)]: measurement }
  writeFileSync(`${path}.part`, JSON.stringify(all, null, 2))
  renameSync(`${path}.part`, path)
}
