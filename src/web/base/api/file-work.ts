import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fileWork } from '../../../contract/account/manual-work.ts'
import { account } from './account.ts'
import { askAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Progress of people's work on a manual order. @param percent its progress: a change refetches */
export function fileWorkQuery(session: Session, id: string, percent: number) {
  return queryOptions({
    queryKey: [...account.all(session), 'file-work', id, percent] as const,
    queryFn: ({ signal }) => askAccount(session, `files/${encodeURIComponent(id)}/work`, fileWork, { signal }),
    placeholderData: keepPreviousData,
    // Nobody works on it yet: a valid response, too.
    retry: false,
  })
}
