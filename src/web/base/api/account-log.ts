import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { type LogAction, logPage } from '../../../contract/account/audit-log.ts'
import { account } from './account.ts'
import { askAccount, blobOfAccount } from './account-call.ts'
import { queryText } from './addresses.ts'
import type { Session } from './client.ts'

export type LogFilter = { action: LogAction | null; search: string }

/** The account's audit log, newest first, page by page. */
export function logQuery(session: Session, { action, search }: LogFilter) {
  return infiniteQueryOptions({
    queryKey: [...account.all(session), 'log', { action, search }] as const,
    queryFn: ({ signal, pageParam }) =>
      askAccount(session, `log${queryText({ action, search, cursor: pageParam, limit: '50' })}`, logPage, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  })
}

/** All matching audit log entries as CSV. @throws ApiError */
export async function logCsv(session: Session, filter: LogFilter): Promise<Blob> {
  return await blobOfAccount(session, `log.csv${queryText(filter)}`)
}
