import { dayStart } from '../../../base/ui/dates.ts'
import { type ColumnId, columnIds, columns, type Direction } from '../columns/columns.tsx'

const shows = ['all', 'progress', 'ready', 'delayed'] as const
export type Show = (typeof shows)[number]

const reviews = ['any', 'corrected', 'in_review', 'approved'] as const

export type SortKey = 'created' | 'name' | ColumnId
export const sortKeys: readonly SortKey[] = ['created', 'name', ...columnIds]

/** What the list shows, and how. All of it is in the URL, so that a link restores it. */
export type ListState = {
  search: string
  show: Show
  type: 'any' | 'automated' | 'manual'
  /** the user's review of the transcript */
  review: (typeof reviews)[number]
  /** days as `2026-11-18`, both inclusive; '' is open */
  from: string
  to: string
  sort: SortKey
  direction: Direction
  /** with their widths, as column-layout.ts parses them; '': those of the account */
  columns: string
}

/** The initial direction of a sort key. */
export function firstDirection(sort: SortKey): Direction {
  if (sort === 'name') return 'asc'
  return sort === 'created' ? 'desc' : columns[sort].firstDirection
}

function oneOf<Value extends string>(values: readonly Value[], value: string | null, otherwise: Value): Value {
  return values.find((one) => one === value) ?? otherwise
}

function day(value: string | null, otherwise: string): string {
  if (value === '') return ''
  return value !== null && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : otherwise
}

/** The default list: no search, no filters, no view. */
export const usualList: ListState = {
  search: '',
  show: 'all',
  type: 'any',
  review: 'any',
  from: '',
  to: '',
  sort: 'created',
  direction: 'desc',
  columns: '',
}

/** The list of one order: as in the folder they came from. */
export const listByName: ListState = { ...usualList, sort: 'name', direction: 'asc' }

/** Parses the URL; missing or invalid values are as in `base`, the open saved view, if any. */
export function readListState(search: URLSearchParams, base = usualList): ListState {
  const sort = oneOf(sortKeys, search.get('sort'), base.sort)
  return {
    search: search.get('q') ?? base.search,
    show: oneOf(shows, search.get('show'), base.show),
    type: oneOf(['any', 'automated', 'manual'] as const, search.get('type'), base.type),
    review: oneOf(reviews, search.get('review'), base.review),
    from: day(search.get('from'), base.from),
    to: day(search.get('to'), base.to),
    sort,
    direction: oneOf(['asc', 'desc'] as const, search.get('direction'), pickDirection(sort, base)),
    columns: search.get('columns') ?? base.columns,
  }
}

const pickDirection = (sort: SortKey, base: ListState) => (sort === base.sort ? base.direction : firstDirection(sort))

/** The query string for a state; omits values equal to `base`. */
export function writeListState(state: ListState, base = usualList): URLSearchParams {
  const { search: q, ...others } = state
  const { search, ...usual } = { ...base, q: base.search, direction: pickDirection(state.sort, base) }
  const known: Record<string, string> = usual
  return new URLSearchParams(Object.entries({ q, ...others }).filter(([name, value]) => value !== known[name]))
}

/** The range of order times, in local days; infinite if open. */
export function dateRange({ from, to }: Pick<ListState, 'from' | 'to'>): { start: number; end: number } {
  return {
    start: from === '' ? Number.NEGATIVE_INFINITY : dayStart(new Date(`${from}T12:00`).getTime()),
    end: to === '' ? Number.POSITIVE_INFINITY : dayStart(new Date(`${to}T12:00`).getTime()) + 86_400_000,
  }
}

/** True if filters other than the search and the four tabs are set. */
export function hasMoreFilters({ type, review, from, to }: ListState): boolean {
  return type !== 'any' || review !== 'any' || from !== '' || to !== ''
}
