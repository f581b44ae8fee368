import { type LogAction, logPage } from '../../../contract/account/audit-log.ts'
import { accountPages, blobOfAccount } from './account-call.ts'
import { queryText } from './addresses.ts'
import type { Session } from './client.ts'

export type LogFilter = { action: LogAction | null; search: string }

/** The account's audit log, newest first, page by page. */
export function logQuery(session: Session, { action, search }: LogFilter) {
  const path = (cursor: string | null) => `log${queryText({ action, search, cursor, limit: '50' })}`
  return accountPages(session, ['log', { action, search }], path, logPage)
}

/** All matching audit log entries as CSV. @throws ApiError */
export async function logCsv(session: Session, filter: LogFilter): Promise<Blob> {
  return await blobOfAccount(session, `log.csv${queryText(filter)}`)
}
