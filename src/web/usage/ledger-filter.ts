import type { LedgerFilter } from '../api/usage.ts'
import { spanOf } from './span.ts'

const kinds = ['charge', 'refund'] as const

/** The filter that stands in the page's address. @param now milliseconds since 1970, to which periods are relative */
export function filterOf(search: URLSearchParams, now: number): LedgerFilter {
  const kind = kinds.find((each) => each === search.get('kind')) ?? null
  return { ...spanOf(search, now), kind, search: search.get('q') ?? '' }
}
