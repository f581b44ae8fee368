import type { Cue, CueWarning } from '../../../formats/captions/cues.ts'
import type { WordTable } from '../model/word-table.ts'
import type { Edge } from './set-captions.ts'

export type CaptionState = {
  cues: readonly Cue[]
  /** rule violations by caption index, in order */
  faults: ReadonlyMap<number, readonly CueWarning[]>
  /** index of the current caption, -1 if there is none */
  current: number
  /** the text of the captions; null until they are first made */
  table: WordTable | null
}

/** A caption being edited in place: its first word, the field that has the caret, and where in it. */
export type EditedCue = { word: number; field: 'text' | Edge; caret: number }
