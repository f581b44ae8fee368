import { queryOptions } from '@tanstack/react-query'
import { type AccountExport, accountExport, accountExports } from '../../../contract/account/export.ts'
import { account } from './account.ts'
import { askAccount } from './account-call.ts'
import type { Session } from './client.ts'
import { queryClient } from './query-client.ts'

/** Exports of the account, newest first; asked again while one is being made. */
export function exportsQuery(session: Session) {
  return queryOptions({
    queryKey: [...account.all(session), 'exports'],
    queryFn: ({ signal }) => askAccount(session, 'exports', accountExports, { signal }),
    refetchInterval: ({ state }) => (state.data?.exports.some((one) => one.state === 'making') ? 2_000 : false),
  })
}

/** Begins an export. @throws ApiError 409 while another one is being made */
export async function beginExport(session: Session, recordings: boolean): Promise<AccountExport> {
  const begun = await askAccount(session, 'exports', accountExport, { method: 'POST', body: { recordings } })
  await queryClient.invalidateQueries({ queryKey: exportsQuery(session).queryKey })
  return begun
}
