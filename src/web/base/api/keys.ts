import { queryOptions } from '@tanstack/react-query'
import {
  type ApiKeyChange,
  apiKey,
  apiKeyList,
  type CreatedApiKey,
  createdApiKey,
  type NewApiKey,
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

/** Creates a key, which only this response includes. */
export async function createKey(session: Session, wanted: NewApiKey): Promise<CreatedApiKey> {
  return await askAccount(session, 'keys', createdApiKey, { method: 'POST', body: wanted })
}

/** Changes the name, the rights or the limits of a key. */
export async function changeKey(session: Session, id: string, change: ApiKeyChange): Promise<void> {
  await askAccount(session, `keys/${encodeURIComponent(id)}`, apiKey, { method: 'PATCH', body: change })
}

/** Revokes a key immediately. `isCurrent` confirms revoking the key this page uses. */
export async function revokeKey(session: Session, id: string, isCurrent: boolean): Promise<void> {
  const path = `keys/${encodeURIComponent(id)}${isCurrent ? revokeCurrentQuery : ''}`
  await sendToAccount(session, path, { method: 'DELETE' })
}
