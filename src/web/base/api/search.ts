import { maxQueryLength, type SearchPage, searchPage } from '../../../contract/account/search.ts'
import { accountPages, type RefetchInterval } from './account-call.ts'
import { queryText } from './addresses.ts'
import type { Session } from './client.ts'

/** After nothing was found, the search is asked again while it is shown. */
const nothingFoundMs = 2_000
const whileNothing: RefetchInterval<SearchPage> = ({ state }) =>
  state.data?.pages.every(({ files }) => files.length === 0) === true ? nothingFoundMs : false

/** Shorter queries match nearly everywhere. UTF-16 units. */
const minQueryLength = 2

/** Full-text matches in all files, `limit` per page. @param isOffered the service can search */
export function searchPages(session: Session, typed: string, isOffered: boolean, limit: number) {
  const q = typed.trim().toWellFormed().slice(0, maxQueryLength)
  const path = (cursor: string | null) => `search${queryText({ q, limit: String(limit), cursor })}`
  const more = {
    enabled: isOffered && q.length >= minQueryLength,
    staleTime: 1_000,
    // A word that was just typed, here or elsewhere, is in the index a moment later: nothing found is not for ever.
    refetchInterval: whileNothing,
  }
  return accountPages(session, ['search', q, limit], path, searchPage, more)
}
