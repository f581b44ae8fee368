import { searchedName } from '../../../../contract/account/projects.ts'
import { type FileRecord, isGivenUp } from '../../../base/api/metadata-reader.ts'
import { dayStart } from '../../../base/ui/dates.ts'
import type { FileRow } from '../../../signed-in/library/library-rows.ts'
import type { LibrarySnapshot } from '../../../signed-in/library/library-snapshot.ts'
import { sortNames } from '../../../signed-in/library/sort-names.ts'
import { type Column, columns } from '../columns/columns.tsx'
import { isDelayed } from '../columns/progress-text.ts'
import type { FoundFiles } from '../found/use-found.ts'
import { dateRange, hasMoreFilters, type ListState, type Show, type SortKey } from './list-state.ts'
import { readSearch, type SearchWords } from './search-words.ts'

/** An item of the list: a file, or a heading for the files that follow: their day or, beyond two weeks, their month. */
export type ListItem = FileRow | DayItem
export type DayItem = {
  /** local midnight of its first day; NaN above files whose day is unknown */
  day: number
  isMonth: boolean
}

export function isDay(item: ListItem): item is DayItem {
  return 'day' in item
}

export type ListView = {
  items: readonly ListItem[]
  /** indexes of the day headings in `items`, ascending */
  days: readonly number[]
  /** the files of `items`, in order; the same array if there are no day headings */
  rows: readonly FileRow[]
  /** how many of them are read */
  read: number
  /** how many read files each tab would show, given the other filters */
  counts: Record<Show, number>
  /** total length of all read files but archived ones, in seconds */
  seconds: number
}

function belongsTo(show: Show, record: FileRecord, now: number): boolean {
  if (show === 'all') return true
  if (show === 'ready') return record.percent === 100
  return show === 'progress' ? record.percent < 100 && !isGivenUp(record) : isDelayed(record, now)
}

function isReviewed({ corrections, review }: FileRecord, wanted: ListState['review']): boolean {
  if (wanted === 'any') return true
  return wanted === 'corrected' ? corrections > 0 : review === wanted
}

/**
 * The items to show: filtered, sorted, and grouped by day if sorted by date. Unread rows match no filter and come last,
 * since nothing is known of them; while there are any, newest-first is the service's own order, ungrouped, so that rows
 * do not jump while the rest is read.
 * @param found files with full-text matches
 * @param projects names of projects by id
 * @param listsArchived also without a search
 */
export function buildView(
  { rows, complete, names }: LibrarySnapshot,
  state: ListState,
  now: number,
  found: FoundFiles = nothing,
  projects: ReadonlyMap<string, string> = noProjects,
  listsArchived = false,
): ListView {
  const { counts, matching, unread, seconds } = filterRows(rows, state, now, found, projects, listsArchived)
  const newestFirst = state.sort === 'created' && state.direction === 'desc'
  const narrowed = matching.length + unread.length < rows.length
  const inServiceOrder = newestFirst && !complete && !narrowed && unread.length > 0
  const sorted = inServiceOrder ? rows : [...sortRows(matching, state, names), ...unread]
  const byDay = state.sort === 'created' && !inServiceOrder
  const { items, days } = byDay ? withDays(sorted, now) : { items: sorted, days: noDays }
  return { items, days, rows: sorted, read: matching.length, counts, seconds }
}

const noDays: readonly number[] = []
const nothing: FoundFiles = new Map()
const noProjects: ReadonlyMap<string, string> = new Map()

/** One pass over all rows: which match the filters, and how many each tab would show. */
function filterRows(
  rows: readonly FileRow[],
  state: ListState,
  now: number,
  found: FoundFiles,
  projects: ReadonlyMap<string, string>,
  listsArchived: boolean,
) {
  const counts: Record<Show, number> = { all: 0, progress: 0, ready: 0, delayed: 0 }
  const matching: FileRow[] = []
  const unread: FileRow[] = []
  const words = readSearch(state.search)
  const { start, end } = dateRange(state)
  const anyFilter = state.search.trim() !== '' || hasMoreFilters(state)
  let seconds = 0
  for (const row of rows) {
    const { record } = row
    if (record === null) {
      if (!anyFilter) counts.all += 1
      const isFound = found.has(row.id) && !hasMoreFilters(state)
      if ((isFound || !anyFilter) && state.show === 'all') unread.push(row)
      continue
    }
    if (Number.isFinite(record.seconds) && !record.labels?.archived) seconds += record.seconds
    if (state.type !== 'any' && record.metadata.options.transcript_type !== state.type) continue
    if (!isReviewed(record, state.review)) continue
    // An unknown date matches only an open range.
    if ((state.from || state.to) && !(record.createdAt >= start && record.createdAt < end)) continue
    if (words.project !== null && searchedName(projects.get(record.project ?? '') ?? '') !== words.project) continue
    if (!matchesSearch(record, words, found.has(row.id), listsArchived)) continue
    counts.all += 1
    if (record.percent === 100) counts.ready += 1
    else if (!isGivenUp(record)) {
      counts.progress += 1
      if (isDelayed(record, now)) counts.delayed += 1
    }
    if (belongsTo(state.show, record, now)) matching.push(row)
  }
  return { counts, matching, unread, seconds }
}

/**
 * Searches name, speakers, tags, note, and the exact id. Archived files match only if searched for, or if listed anyway.
 * @param isFound it has a full-text match
 */
function matchesSearch(
  { id, metadata, labels, leaves }: FileRecord,
  { text, tags, project, archived, duplicate, held, leaving }: SearchWords,
  isFound: boolean,
  listsArchived: boolean,
): boolean {
  const isArchived = labels?.archived === true
  const isAsked = text !== '' || tags.length > 0 || project !== null || duplicate || held || leaving
  if (archived ? !isArchived : isArchived && !isAsked && !listsArchived) return false
  if ((duplicate && !metadata.duplicates) || (held && !labels?.held) || (leaving && leaves === null)) return false
  if (isFound || (text === '' && tags.length === 0)) return true
  const own = labels?.tags.map((tag) => tag.toLowerCase()) ?? []
  if (!tags.every((tag) => own.includes(tag))) return false
  return (
    text === '' ||
    metadata.name.toLowerCase().includes(text) ||
    id.toLowerCase() === text ||
    metadata.options.speaker_names.some((name) => name.toLowerCase().includes(text)) ||
    own.some((tag) => tag.includes(text)) ||
    (labels?.note.toLowerCase().includes(text) ?? false)
  )
}

type SortBy = Column['sortBy']

const sortByName: SortBy = { text: ({ metadata }) => metadata.name }
const sortByDate: SortBy = { number: ({ createdAt }) => createdAt }

function toSortBy(sort: SortKey): SortBy {
  if (sort === 'name') return sortByName
  return sort === 'created' ? sortByDate : columns[sort].sortBy
}

/** Sorts read rows; unknown values come last in both directions, ties are newest first. */
function sortRows(
  rows: readonly FileRow[],
  { sort, direction }: ListState,
  names: LibrarySnapshot['names'],
): FileRow[] {
  const sign = direction === 'asc' ? 1 : -1
  const keys = new Float64Array(rows.length)
  const created = new Float64Array(rows.length)
  const sortBy = toSortBy(sort)
  const keyOf = 'number' in sortBy ? sortBy.number : rankBy(rows, sortBy.text, sort === 'name' ? names : null)
  for (const [index, { record }] of rows.entries()) {
    keys[index] = record ? sign * keyOf(record) : Number.NaN
    // Below any date, and not NaN: comparing with NaN would make all equal.
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

/**
 * The rank of each record's text among all texts: comparing ranks is a hundred times faster than comparing texts.
 * @param sorted all texts in order, if already known
 */
function rankBy(
  rows: readonly FileRow[],
  textOf: (record: FileRecord) => string,
  sorted: LibrarySnapshot['names'],
): (record: FileRecord) => number {
  const known = sorted && rankIds(sorted)
  if (known && rows.every(({ record }) => record === null || known.has(textOf(record)))) {
    return (record) => known.get(textOf(record)) ?? Number.NaN
  }
  const ranks = rankIds(sortNames(new Set(rows.flatMap(({ record }) => (record ? [textOf(record)] : [])))))
  return (record) => ranks.get(textOf(record)) ?? Number.NaN
}

const knownRanks = new WeakMap<readonly string[], Map<string, number>>()

function rankIds(sorted: readonly string[]): Map<string, number> {
  const known = knownRanks.get(sorted)
  if (known) return known
  const ranks = new Map(sorted.map((text, index) => [text, index]))
  knownRanks.set(sorted, ranks)
  return ranks
}

/** Days older than this are grouped by month. */
const daysApart = 14

function withDays(rows: readonly FileRow[], now: number): Pick<ListView, 'items' | 'days'> {
  const recent = dayAfter(dayStart(now), -daysApart)
  const items: ListItem[] = []
  const days: number[] = []
  // Local days vary in length: caching the bounds of the current one saves a calendar lookup per row.
  let start = Number.NaN
  let end = Number.NaN
  let underUnknown = false
  for (const row of rows) {
    const createdAt = row.record?.createdAt ?? Number.NaN
    const isUnknown = Number.isNaN(createdAt)
    if (isUnknown ? !underUnknown : !(createdAt >= start && createdAt < end)) {
      const isMonth = createdAt < recent
      start = isMonth ? monthStart(createdAt) : dayStart(createdAt)
      end = isMonth ? Math.min(monthStart(dayAfter(start, 31)), recent) : dayAfter(start, 1)
      underUnknown = isUnknown
      days.push(items.length)
      items.push({ day: start, isMonth })
    }
    items.push(row)
  }
  return { items, days }
}

/** Local midnight of the first day of a month. */
function monthStart(moment: number): number {
  const date = new Date(dayStart(moment))
  return date.setDate(1)
}

/** The midnight `days` days after another (before if negative). */
function dayAfter(day: number, days: number): number {
  const date = new Date(day)
  return date.setDate(date.getDate() + days)
}
