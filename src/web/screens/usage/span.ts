import type { LedgerFilter, Span } from '../../base/api/usage.ts'

/** The periods offered by the page, as named in its URL. */
export const periods = [
  { value: 'month', label: 'This month' },
  { value: '3-months', label: 'Last 3 months' },
  { value: '12-months', label: 'Last 12 months' },
  { value: 'all', label: 'All time' },
  { value: 'custom', label: 'Custom dates' },
] as const
export type Period = (typeof periods)[number]['value']

const monthsBack: Partial<Record<Period, number>> = { month: 0, '3-months': 2, '12-months': 11 }

/** The period in a URL; by default the last 12 months. */
export function readPeriod(search: URLSearchParams): Period {
  if (search.has('from') || search.has('to')) return 'custom'
  return periods.find(({ value }) => value === search.get('period'))?.value ?? '12-months'
}

function isoDay(value: string | null): string | null {
  return value !== null && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : null
}

/** The days in a URL (`from`, `to`), both inclusive; null if missing or invalid. */
export function readDays(search: URLSearchParams): { from: string | null; to: string | null } {
  return { from: isoDay(search.get('from')), to: isoDay(search.get('to')) }
}

/**
 * The time span of a URL, from the start of its first day to the end of its last, in UTC like the ledger's months.
 * @param now milliseconds since 1970
 */
export function readSpan(search: URLSearchParams, now: number): Span {
  const period = readPeriod(search)
  if (period === 'custom') {
    const { from, to } = readDays(search)
    const end = to === null ? null : new Date(Date.parse(to) + 86_400_000).toISOString()
    return { from: from === null ? null : new Date(from).toISOString(), to: end }
  }
  const back = monthsBack[period]
  if (back === undefined) return { from: null, to: null }
  const today = new Date(now)
  return { from: new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1)).toISOString(), to: null }
}

const kinds = ['charge', 'refund'] as const

/** The filter in the page's URL. @param now milliseconds since 1970, to which periods are relative */
export function readFilter(search: URLSearchParams, now: number): LedgerFilter {
  const kind = kinds.find((each) => each === search.get('kind')) ?? null
  return { ...readSpan(search, now), kind, search: search.get('q') ?? '' }
}
