import { mergeNames } from '../../../contract/correction-set.ts'
import { TimeIndex } from '../model/time-index.ts'
import type { WordTable } from '../model/word-table.ts'
import { locate } from './locate.ts'
import type { Corrected, Operation, WordChange } from './operation.ts'
import { patchOf } from './patches.ts'
import type { Conflict } from './reapply.ts'

/**
 * Moves an operation to a text that has changed in the meantime: each change is located by its words and neighbours. Where
 * one cannot be, `moved` is null and each change is a conflict, for a person to decide.
 */
export function moveOperation(
  operation: Operation,
  before: WordTable,
  now: Corrected,
): { moved: Operation | null; conflicts: Conflict[] } {
  const times = new TimeIndex(now.table)
  const names = operation.names && mergeNames(operation.names.before, operation.names.after, now.names)
  const speakerOf = names?.speakerOf ?? ((speaker: number) => speaker)
  const changes: WordChange[] = []
  const conflicts: Conflict[] = []
  let free = 0
  for (const { at, removed, inserted: typed } of operation.changes) {
    const inserted = typed.map((word) => ({ ...word, speaker: speakerOf(word.speaker) }))
    const patch = patchOf(before, at, at + removed.length, inserted)
    const found = locate(now.table, times, patch)
    conflicts.push({ patch, place: found === null ? null : placeOf(now.table, found) })
    if (found?.exact !== true || found.from < free) continue
    changes.push({ at: found.from, removed: now.table.words(found.from, found.to), inserted })
    free = found.to
  }
  if (changes.length < operation.changes.length) return { moved: null, conflicts }
  const moved = { ...operation, changes, names: names && { before: now.names, after: names.names } }
  return { moved, conflicts: names?.lostNames ?? [] }
}

/** A place of a text in the service's word numbers, which later edits do not shift. */
function placeOf(table: WordTable, { from, to }: { from: number; to: number }): { from: number; to: number } {
  const first = table.originOf(from)
  return { from: first, to: to > from ? table.originOf(to - 1) + 1 : first }
}
