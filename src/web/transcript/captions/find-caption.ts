import type { Cue } from '../../../formats/captions/cues.ts'
import { lowerBound } from '../../../text/lower-bound.ts'

/** Index of the caption shown at a time, else of the last one before it. */
export function atTime(cues: readonly Cue[], ms: number): number {
  return Math.max(0, lowerBound(cues.length, (at) => (cues[at]?.startMs ?? 0) <= ms) - 1)
}

/** Index of the caption of a word. */
export function atWord(cues: readonly Cue[], word: number): number {
  return Math.max(0, lowerBound(cues.length, (at) => (cues[at]?.word ?? 0) <= word) - 1)
}
