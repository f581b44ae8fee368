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

/** Part of the name of each test skipped without the clips; the end of the run reports how many were. */
export const needsClips = 'needs the shared speech clips, PARLEY_SHARED'

/** Recordings of real people are not in the repository: they are next to it, or at `PARLEY_SHARED`. */
const folder = resolve(import.meta.dirname, '../../../..', process.env.PARLEY_SHARED ?? '../shared', 'data/speech')

/** All clips of real speech, for tests and benches; empty if their folder is missing. */
export function speechClips(): SpeechClip[] {
  if (!existsSync(folder)) return []
  const clips = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as (SpeechClip & { file: string })[]
  return clips.map((clip) => ({ ...clip, path: join(folder, clip.file) }))
}

export const narrationId = 'az-audio2'
