import type { FileRow } from '../api/library-rows.ts'
import type { LibrarySnapshot } from '../api/library-snapshot.ts'
import type { FileRecord } from '../api/metadata-reader.ts'
import { dayStart } from '../ui/dates.ts'
import { dateRange, type ListState, type Show, type SortKey } from './list-state.ts'
import { orderText } from './order-text.ts'

/** One line of the list: a file, or the day over the files that follow. */
export type Line = { kind: 'file'; row: FileRow } | { kind: 'day'; day: number }

export type ListView = {
  lines: Line[]
  /** the files of `lines`, in order */
  rows: FileRow[]
  /** read files for each tab, before it is chosen, after the other filters */
  counts: Record<Show, number>
  /** length of all read files together, in seconds */
  seconds: number
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** True where the service says why the file is late, or its date has passed. */
export function isDelayed(record: FileRecord, now: number): boolean {
  return record.percent < 100 && (record.metadata.delay_reason !== null || record.dueAt < now)
}

function belongsTo(show: Show, record: FileRecord, now: number): boolean {
  if (show === 'all') return true
  if (show === 'ready') return record.percent === 100
  return show === 'progress' ? record.percent < 100 : isDelayed(record, now)
}

/**
 * The lines to show: filtered, sorted, under their days where sorted by date. Rows that are not read yet pass no filter
 * and stand last, so that nothing is said about them; until all are read, the newest-first order is the service's own,
 * so that rows do not jump under the eye while the rest is read.
 */
export function viewOf({ rows, complete }: LibrarySnapshot, state: ListState, now: number): ListView {
  const { counts, matching, unread, seconds } = sift(rows, state, now)
  const newestFirst = state.sort === 'created' && state.direction === 'desc'
  const narrowed = matching.length + unread.length < rows.length
  const inServiceOrder = newestFirst && !complete && !narrowed
  const sorted = inServiceOrder ? [...rows] : [...sortRows(matching, state), ...unread]
  return {
    lines: withDays(sorted, state.sort === 'created' && !inServiceOrder),
    rows: sorted,
    counts,
    seconds,
  }
}

/** One pass over all rows: which pass the filters, and how many each tab would show. */
function sift(rows: readonly FileRow[], state: ListState, now: number) {
  const counts: Record<Show, number> = { all: 0, progress: 0, ready: 0, delayed: 0 }
  const matching: FileRow[] = []
  const unread: FileRow[] = []
  const needle = state.search.trim().toLowerCase()
  const { start, end } = dateRange(state)
  const anyFilter = needle !== '' || state.type !== 'any' || state.from !== '' || state.to !== ''
  let seconds = 0
  for (const row of rows) {
    const { record } = row
    if (record === null) {
      if (!anyFilter) counts.all += 1
      if (!anyFilter && state.show === 'all') unread.push(row)
      continue
    }
    if (Number.isFinite(record.seconds)) seconds += record.seconds
    if (state.type !== 'any' && record.metadata.options.transcript_type !== state.type) continue
    // An unknown date lies in no range, but in the open one.
    if ((state.from || state.to) && !(record.createdAt >= start && record.createdAt < end)) continue
    if (needle !== '' && !matchesSearch(record, needle)) continue
    counts.all += 1
    if (record.percent === 100) counts.ready += 1
    else {
      counts.progress += 1
      if (isDelayed(record, now)) counts.delayed += 1
    }
    if (belongsTo(state.show, record, now)) matching.push(row)
  }
  return { counts, matching, unread, seconds }
}

/** By name, by the speakers it was ordered with, or by its whole id. */
function matchesSearch({ id, metadata }: FileRecord, needle: string): boolean {
  return (
    metadata.name.toLowerCase().includes(needle) ||
    id.toLowerCase() === needle ||
    metadata.options.speaker_names.some((name) => name.toLowerCase().includes(needle))
  )
}

const numberKeys: Record<Exclude<SortKey, 'name' | 'order'>, (record: FileRecord) => number> = {
  created: (record) => record.createdAt,
  seconds: (record) => record.seconds,
  progress: (record) => record.percent,
  total: (record) => record.totalCents,
  bytes: (record) => Number(record.metadata.bytes || Number.NaN),
  due: (record) => record.dueAt,
}

/** Sorts read rows; what is unknown stands last either way, equals stay the newest first. */
function sortRows(rows: FileRow[], { sort, direction }: ListState): FileRow[] {
  const sign = direction === 'asc' ? 1 : -1
  if (sort === 'name' || sort === 'order') {
    const textOf = sort === 'name' ? (record: FileRecord) => record.metadata.name : orderText
    const keyed = rows.map((row) => ({ row, key: row.record ? textOf(row.record) : '' }))
    return keyed.sort((one, two) => sign * collator.compare(one.key, two.key)).map(({ row }) => row)
  }
  const keyOf = numberKeys[sort]
  const keyed = rows.map((row) => ({
    row,
    key: row.record ? keyOf(row.record) : Number.NaN,
    createdAt: row.record?.createdAt ?? 0,
  }))
  return keyed
    .sort((one, two) => {
      if (Number.isNaN(one.key) || Number.isNaN(two.key))
        return Number(Number.isNaN(one.key)) - Number(Number.isNaN(two.key))
      return sign * (one.key - two.key) || two.createdAt - one.createdAt
    })
    .map(({ row }) => row)
}

function withDays(rows: FileRow[], byDay: boolean): Line[] {
  const lines: Line[] = []
  let last: number | null = null
  for (const row of rows) {
    const createdAt = row.record?.createdAt ?? Number.NaN
    if (byDay && Number.isFinite(createdAt)) {
      const day = dayStart(createdAt)
      if (day !== last) lines.push({ kind: 'day', day })
      last = day
    }
    lines.push({ kind: 'file', row })
  }
  return lines
}
