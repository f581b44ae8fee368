import type { FileRecord } from '../../api/metadata-reader.ts'
import type { FileRow } from '../../library/library-rows.ts'
import type { LibrarySnapshot } from '../../library/library-snapshot.ts'
import { sortNames } from '../../library/sort-names.ts'
import { dayStart } from '../../ui/dates.ts'
import { orderText } from '../rows/order-text.ts'
import { dateRange, type ListState, type Show, type SortKey } from './list-state.ts'

/** One line of the list: a file, or the day over the files that follow. */
export type Line = FileRow | DayLine
export type DayLine = {
  /** its local midnight; NaN over files whose day is not known */
  day: number
}

export function isDay(line: Line): line is DayLine {
  return 'day' in line
}

export type ListView = {
  lines: readonly Line[]
  /** indexes of the lines that are days, ascending */
  days: readonly number[]
  /** the files of `lines`, in order; the same array where no days stand between them */
  rows: readonly FileRow[]
  /** how many of them are read */
  read: number
  /** read files for each tab, before it is chosen, after the other filters */
  counts: Record<Show, number>
  /** length of all read files together, in seconds */
  seconds: number
}

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
 * and stand last, so that nothing is said about them; while there are such, the newest-first order is the service's own,
 * without days, so that rows do not jump under the eye while the rest is read.
 */
export function viewOf({ rows, complete, names }: LibrarySnapshot, state: ListState, now: number): ListView {
  const { counts, matching, unread, seconds } = sift(rows, state, now)
  const newestFirst = state.sort === 'created' && state.direction === 'desc'
  const narrowed = matching.length + unread.length < rows.length
  const inServiceOrder = newestFirst && !complete && !narrowed && unread.length > 0
  const sorted = inServiceOrder ? rows : [...sortRows(matching, state, names), ...unread]
  const byDay = state.sort === 'created' && !inServiceOrder
  const { lines, days } = byDay ? withDays(sorted) : { lines: sorted, days: noDays }
  return { lines, days, rows: sorted, read: matching.length, counts, seconds }
}

const noDays: readonly number[] = []

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
function sortRows(
  rows: readonly FileRow[],
  { sort, direction }: ListState,
  names: LibrarySnapshot['names'],
): FileRow[] {
  const sign = direction === 'asc' ? 1 : -1
  const keys = new Float64Array(rows.length)
  const created = new Float64Array(rows.length)
  const keyOf = sort === 'name' || sort === 'order' ? rankBy(rows, sort, names) : numberKeys[sort]
  for (const [index, { record }] of rows.entries()) {
    keys[index] = record ? sign * keyOf(record) : Number.NaN
    // Less than any date, and not no number: comparing with that would say that all are equal.
    created[index] = record && Number.isFinite(record.createdAt) ? record.createdAt : Number.NEGATIVE_INFINITY
  }
  const order = Uint32Array.from(rows.keys())
  order.sort((one, two) => {
    const [first = 0, second = 0] = [keys[one], keys[two]]
    if (first < second) return -1
    if (first > second) return 1
    const unknown = Number(Number.isNaN(first)) - Number(Number.isNaN(second))
    return unknown || (created[two] ?? 0) - (created[one] ?? 0) || one - two
  })
  return Array.from(order, (index) => rows[index] as FileRow)
}

/** The place of each record's text among all texts: comparing places is a hundred times quicker than comparing texts. */
function rankBy(rows: readonly FileRow[], sort: 'name' | 'order', names: LibrarySnapshot['names']) {
  const textOf = sort === 'name' ? (record: FileRecord) => record.metadata.name : orderText
  const known = sort === 'name' && names !== null ? ranksOf(names) : null
  if (known && rows.every(({ record }) => record === null || known.has(record.metadata.name))) {
    return (record: FileRecord) => known.get(record.metadata.name) ?? Number.NaN
  }
  const texts = new Set(rows.flatMap(({ record }) => (record ? [textOf(record)] : [])))
  const ranks = ranksOf(sortNames(texts))
  return (record: FileRecord) => ranks.get(textOf(record)) ?? Number.NaN
}

const knownRanks = new WeakMap<readonly string[], Map<string, number>>()

/** Places of texts that are in order already. */
function ranksOf(sorted: readonly string[]): Map<string, number> {
  const known = knownRanks.get(sorted)
  if (known) return known
  const ranks = new Map(sorted.map((text, index) => [text, index]))
  knownRanks.set(sorted, ranks)
  return ranks
}

function withDays(rows: readonly FileRow[]): Pick<ListView, 'lines' | 'days'> {
  const lines: Line[] = []
  const days: number[] = []
  // Local days are not all of one length: the bounds of the one at hand spare asking the calendar for each row.
  let start = Number.NaN
  let end = Number.NaN
  let underUnknown = false
  for (const row of rows) {
    const createdAt = row.record?.createdAt ?? Number.NaN
    const isUnknown = Number.isNaN(createdAt)
    if (isUnknown ? !underUnknown : !(createdAt >= start && createdAt < end)) {
      start = dayStart(createdAt)
      end = nextDayStart(start)
      underUnknown = isUnknown
      days.push(lines.length)
      lines.push({ day: start })
    }
    lines.push(row)
  }
  return { lines, days }
}

function nextDayStart(day: number): number {
  const date = new Date(day)
  return date.setDate(date.getDate() + 1)
}
