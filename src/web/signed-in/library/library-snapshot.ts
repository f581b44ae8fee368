import { isGivenUp } from '../../base/api/metadata-reader.ts'
import { emptyList, type FileList, type FileRow } from './library-rows.ts'

/** The list as pages render it. */
export type LibrarySnapshot = Omit<FileList, 'chunks' | 'positions' | 'version'> & {
  /** in the service's order; referentially equal while nothing changes */
  rows: readonly FileRow[]
  /** rows read, or that failed to read */
  read: number
  /** rows read that are archived: part of the total, and listed only if they are asked for */
  archived: number
  /** rows read that are neither ready nor archived */
  inProgress: number
  /** why reading stopped; it resumes automatically */
  failure: { status: number; message: string } | null
}

/** The initial snapshot. */
export const emptySnapshot = toSnapshot([], { ...emptyList, failure: null })

/** Builds a snapshot from rows and the list's other fields, counting the rows that are read. */
export function toSnapshot(
  rows: readonly FileRow[],
  list: Omit<LibrarySnapshot, 'rows' | 'read' | 'archived' | 'inProgress'>,
): LibrarySnapshot {
  const { complete, cachedAt, names, awaited, deleted, failure } = list
  let read = 0
  let archived = 0
  let inProgress = 0
  for (const { record, problem } of rows) {
    if (record || problem) read += 1
    if (record?.labels?.archived) archived += 1
    else if (record && record.percent < 100 && !isGivenUp(record)) inProgress += 1
  }
  const isUnknown = (list.total === null && !complete) || (awaited && rows.length === 0)
  const total = isUnknown ? null : complete ? rows.length : Math.max(list.total ?? 0, rows.length)
  return { rows, total, read, archived, inProgress, complete, cachedAt, names, awaited, deleted, failure }
}
