import type { CaptionRules } from '../../../contract/account/captions.ts'
import type { Word } from '../model/word.ts'
import type { WordTable } from '../model/word-table.ts'

/** A replacement of words; `at` is an index in the text before the operation. */
export type WordChange = { at: number; removed: readonly Word[]; inserted: readonly Word[] }

/** Rules of the captions, before and after a step. */
export type RulesChange = { before: CaptionRules; after: CaptionRules }

/** One step of undo and redo. */
export type Operation = {
  /** label of the undo button: `Typing`, `Rename of Ann` */
  label: string
  /** sorted by `at`, not overlapping */
  changes: readonly WordChange[]
  names: { before: readonly string[]; after: readonly string[] } | null
  /** not part of the text: sent by who commits the step, and by `Corrections.onRules` when it is undone or redone */
  rules?: RulesChange
}

export type Corrected = { table: WordTable; names: readonly string[] }
/** The service's text. */
export type Base = Corrected & { fingerprint: string }

/** Returns the text after an operation; does not modify the given one. */
export function applyOperation({ table, names }: Corrected, operation: Operation): Corrected {
  const splices = operation.changes.map(({ at, removed, inserted }) => {
    return { from: at, to: at + removed.length, words: inserted }
  })
  return { table: table.spliced(splices), names: operation.names?.after ?? names }
}

/** Returns the operation that undoes another. */
export function invertOperation({ label, changes, names, rules }: Operation): Operation {
  let shift = 0
  const back = changes.map(({ at, removed, inserted }) => {
    const change = { at: at + shift, removed: inserted, inserted: removed }
    shift += inserted.length - removed.length
    return change
  })
  return {
    label,
    changes: back,
    names: names === null ? null : { before: names.after, after: names.before },
    ...(rules && { rules: { before: rules.after, after: rules.before } }),
  }
}
