import { keepPreviousData } from '@tanstack/react-query'
import { fileWork } from '../../../contract/account/manual-work.ts'
import { accountQuery } from './account-call.ts'
import type { Session } from './client.ts'

/** Progress of people's work on a manual order. @param percent its progress: a change refetches */
export function fileWorkQuery(session: Session, id: string, percent: number) {
  // No retries: that nobody works on it yet is a valid response, too.
  const more = { placeholderData: keepPreviousData, retry: false }
  return accountQuery(session, ['file-work', id, percent], `files/${encodeURIComponent(id)}/work`, fileWork, more)
}
