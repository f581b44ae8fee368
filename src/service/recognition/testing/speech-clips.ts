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

/** The folder of test data beside the project, not part of it; `PARLEY_SHARED` names another place. For tests and benches. */
export const sharedFolder = resolve(
  import.meta.dirname,
  '../../../..',
  process.env.PARLEY_SHARED ?? '../shared',
  'data',
)

/** @returns the clips, none where the folder is missing: tests that need them are then skipped, saying so */
export function speechClips(): SpeechClip[] {
  const folder = join(sharedFolder, 'speech')
  if (!existsSync(folder)) return []
  const clips = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as (SpeechClip & { file: string })[]
  return clips.map((clip) => ({ ...clip, path: join(folder, clip.file) }))
}

export const narrationId = 'az-audio2'
