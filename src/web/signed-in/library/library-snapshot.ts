import type { Failure } from './library-messages.ts'
import type { FileRow } from './library-rows.ts'

/** The library at a point in time. */
export type LibrarySnapshot = {
  /** in the service's order; referentially equal, rows included, while nothing changes */
  rows: readonly FileRow[]
  /** the total number of files, even before all are known; null: not yet known */
  total: number | null
  /** rows read, or that failed to read */
  read: number
  /** rows read that are not ready */
  inProgress: number
  /** all rows have been read once in this visit */
  complete: boolean
  /** when this device's cache was written, if rows come from it and are not confirmed yet */
  cachedAt: number | null
  /** why reading stopped; it resumes automatically */
  failure: Failure | null
  /** names in locale order, sorted in the worker; may be incomplete, null: not yet known */
  names: readonly string[] | null
}

/** The initial snapshot. */
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

/** The library's state besides its rows. */
export type LibraryState = Omit<LibrarySnapshot, 'rows' | 'read' | 'inProgress'>

/** Builds a snapshot from rows and state, counting the rows that are read. */
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
