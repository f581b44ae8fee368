import { maxQueryLength, searchPage } from '../../../contract/account/search.ts'
import { accountPages } from './account-call.ts'
import { queryText } from './addresses.ts'
import type { Session } from './client.ts'

/** Shorter queries match nearly everywhere. UTF-16 units. */
const minQueryLength = 2

/** Full-text matches in all files, `limit` per page. @param isOffered the service can search */
export function searchPages(session: Session, typed: string, isOffered: boolean, limit: number) {
  const q = typed.trim().toWellFormed().slice(0, maxQueryLength)
  const path = (cursor: string | null) => `search${queryText({ q, limit: String(limit), cursor })}`
  const more = { enabled: isOffered && q.length >= minQueryLength, staleTime: 1_000 }
  return accountPages(session, ['search', q, limit], path, searchPage, more)
}
