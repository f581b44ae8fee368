import { queryOptions } from '@tanstack/react-query'
import {
  apiKey,
  apiKeyList,
  type CreatedApiKey,
  createdApiKey,
  revokeCurrentQuery,
} from '../../../contract/account/keys.ts'
import { account } from './account.ts'
import { askAccount, sendToAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Queries of the account's API keys. */
export const keys = {
  list: (session: Session) =>
    queryOptions({
      queryKey: [...account.all(session), 'keys'] as const,
      queryFn: async ({ signal }) => (await askAccount(session, 'keys', apiKeyList, { signal })).keys,
    }),
}

/** Creates a key, which only this response includes. @param expires ISO 8601 or null */
export async function createKey(session: Session, name: string, expires: string | null): Promise<CreatedApiKey> {
  return await askAccount(session, 'keys', createdApiKey, { method: 'POST', body: { name, expires } })
}

export async function renameKey(session: Session, id: string, name: string): Promise<void> {
  await askAccount(session, `keys/${encodeURIComponent(id)}`, apiKey, { method: 'PATCH', body: { name } })
}

/** Revokes a key immediately. `isCurrent` confirms revoking the key this page uses. */
export async function revokeKey(session: Session, id: string, isCurrent: boolean): Promise<void> {
  const path = `keys/${encodeURIComponent(id)}${isCurrent ? revokeCurrentQuery : ''}`
  await sendToAccount(session, path, { method: 'DELETE' })
}
