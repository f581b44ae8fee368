import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** A clip of real speech with its words; some with their times. */
export type SpeechClip = {
  id: string
  path: string
  seconds: number
  ref: string
  kind: string
  /** word, start and end in seconds */
  words?: readonly (readonly [string, number, number])[]
}

/** In the name of each test that is skipped without the clips; the end of the run then says how many were. */
export const needsClips = 'needs the shared speech clips, PARLEY_SHARED'

/** Recordings of real people are not part of the project: they lie beside it, or where `PARLEY_SHARED` says. */
const folder = resolve(import.meta.dirname, '../../../..', process.env.PARLEY_SHARED ?? '../shared', 'data/speech')

/** All clips of real speech, for tests and benches; none where their folder is missing. */
export function speechClips(): SpeechClip[] {
  if (!existsSync(folder)) return []
  const clips = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as (SpeechClip & { file: string })[]
  return clips.map((clip) => ({ ...clip, path: join(folder, clip.file) }))
}

export const narrationId = 'az-audio2'
