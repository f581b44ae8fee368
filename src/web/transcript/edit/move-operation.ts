import type { Patch } from '../../../contract/account/corrections.ts'
import { mergeNames } from '../../../text/speakers.ts'
import type { Word } from '../model/word.ts'
import type { WordTable } from '../model/word-table.ts'
import { originalRange } from './current-range.ts'
import { locateAll } from './locate.ts'
import type { Corrected, Operation, WordChange } from './operation.ts'
import { makeTablePatch } from './patches.ts'
import type { Conflict, WordsConflict } from './reapply.ts'

/** Words to insert at the place that a patch describes; words and neighbors locate that place in the current text. */
export type Move = { patch: Patch; inserted: readonly Word[] }

/**
 * Locates changes in a text, skipping those already in it. If one is not found, `changes` is null and each is a
 * conflict.
 */
export function moveChanges(
  moves: readonly Move[],
  { table }: Corrected,
): { changes: WordChange[] | null; conflicts: WordsConflict[] } {
  const located = locateAll(table, moves)
  const changes = located.flatMap(({ inserted, place, fits }): WordChange[] =>
    fits ? [{ at: place.from, removed: table.words(place.from, place.to), inserted }] : [],
  )
  if (changes.length === located.length) return { changes, conflicts: [] }
  const conflicts = located.map(({ patch, place }) => ({ patch, place: place && originalRange(table, place) }))
  return { changes: null, conflicts }
}

/**
 * Rebases an operation onto a text that has changed in the meantime. If that fails, `moved` is null and each of its
 * changes is a conflict for the user to resolve.
 */
export function moveOperation(
  operation: Operation,
  before: WordTable,
  now: Corrected,
): { moved: Operation | null; conflicts: Conflict[] } {
  const names = operation.names && mergeNames(operation.names.before, operation.names.after, now.names)
  const speakerOf = names?.speakerOf ?? ((speaker: number) => speaker)
  const moves = operation.changes.map(({ at, removed, inserted: typed }) => {
    const inserted = typed.map((word) => ({ ...word, speaker: speakerOf(word.speaker) }))
    return { patch: makeTablePatch(before, at, at + removed.length, inserted), inserted }
  })
  const { changes, conflicts } = moveChanges(moves, now)
  if (changes === null) return { moved: null, conflicts }
  const moved = { ...operation, changes, names: names && { before: now.names, after: names.names } }
  return { moved, conflicts: names?.lostNames ?? [] }
}
