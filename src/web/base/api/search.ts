import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { maxQueryLength, searchPage } from '../../../contract/account/search.ts'
import { account } from './account.ts'
import { askAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Shorter queries match nearly everywhere. UTF-16 units. */
const minQueryLength = 2

/** Full-text matches in all files, `limit` per page. @param isOffered the service can search */
export function searchPages(session: Session, typed: string, isOffered: boolean, limit: number) {
  const q = typed.trim().toWellFormed().slice(0, maxQueryLength)
  return infiniteQueryOptions({
    queryKey: [...account.all(session), 'search', q, limit] as const,
    queryFn: ({ signal, pageParam }) =>
      askAccount(
        session,
        `search?${new URLSearchParams({ q, limit: String(limit), ...(pageParam && { cursor: pageParam }) })}`,
        searchPage,
        {
          signal,
        },
      ),
    enabled: isOffered && q.length >= minQueryLength,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 1_000,
  })
}
