import type { Failure } from './library-messages.ts'
import type { FileRow } from './library-rows.ts'

/** The library at a moment. */
export type LibrarySnapshot = {
  /** in the service's order; the same array and rows as long as nothing changed */
  rows: readonly FileRow[]
  /** how many files there are, also before all are known; null: not yet known */
  total: number | null
  /** rows read, or found unreadable */
  read: number
  /** rows read that are not ready */
  inProgress: number
  /** all rows were read once in this visit */
  complete: boolean
  /** rows come from this device's cache as it was at this moment, and are not confirmed yet */
  cachedAt: number | null
  /** why reading stopped; it continues by itself */
  failure: Failure | null
  /** names in the reader's order, put so away from the page; may lack some, null: not yet known */
  names: readonly string[] | null
}

/** Before anything is known. */
export const emptySnapshot: LibrarySnapshot = {
  rows: [],
  total: null,
  read: 0,
  inProgress: 0,
  complete: false,
  cachedAt: null,
  failure: null,
  names: null,
}

/** What the library knows beside its rows. */
export type LibraryState = Omit<LibrarySnapshot, 'rows' | 'read' | 'inProgress'>

/** The snapshot of rows and state: counts what is read. */
export function toSnapshot(rows: readonly FileRow[], state: LibraryState): LibrarySnapshot {
  let read = 0
  let inProgress = 0
  for (const { record, problem } of rows) {
    if (record || problem) read += 1
    if (record && record.percent < 100) inProgress += 1
  }
  const total = state.total === null ? null : Math.max(state.total, rows.length)
  return { ...state, rows, read, inProgress, total }
}
