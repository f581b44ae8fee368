import {
  type ApiKeyEntry,
  apiKey,
  apiKeyList,
  apiKeyRename,
  createdApiKey,
  newApiKey,
} from '../../../contract/account/keys.ts'
import { makeKey, renameKey, revokeOwnKey, workingKeys } from '../../accounts/auth/keys.ts'
import type { ApiKey } from '../../platform/db/schema.ts'
import { iso } from '../../platform/iso-time.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { route } from '../http/account-route.ts'
import { answer, nothing } from '../http/operation.ts'
import { choiceQuery } from '../http/read-request.ts'

function toKeyEntry(row: ApiKey, currentKeyId: string): ApiKeyEntry {
  return {
    id: row.id,
    name: row.name,
    last_four: row.last_four,
    created: iso(row.created_at),
    last_used: iso(row.last_used_at),
    expires: iso(row.expires_at),
    current: row.id === currentKeyId,
  }
}

const current = choiceQuery(['yes'], '`yes` to revoke the key in use.')

/** `keys`: list, create, rename, revoke. */
export const keyRoutes = [
  route('get /keys', 'List keys', { 200: apiKeyList }, async ({ platform: { db, clock }, caller }) => {
    const keys = await workingKeys(db, caller.account.id, clock())
    return { keys: keys.map((key) => toKeyEntry(key, caller.keyId)) }
  }),
  route(
    'post /keys',
    'Create a key',
    { body: newApiKey, 201: answer(createdApiKey, 'Created. The key is shown only once.') },
    async ({ platform, caller, body: { name, expires } }) => {
      const expiresAt = expires == null ? null : Date.parse(expires)
      if (expiresAt !== null && expiresAt <= platform.clock()) {
        throw new ServiceError(400, '"expires" must be in the future.')
      }
      const { key, row } = await makeKey(platform, caller.account, { name, expiresAt })
      return { key, entry: toKeyEntry(row, caller.keyId) }
    },
  ),
  route(
    'patch /keys/{id}',
    'Rename a key',
    { body: apiKeyRename, 200: apiKey },
    async ({ platform, caller, params, body }) =>
      toKeyEntry(await renameKey(platform, caller.account.id, params.id, body.name), caller.keyId),
  ),
  route(
    'delete /keys/{id}',
    'Revoke a key',
    { query: { current }, 204: nothing, 409: 'It is the key in use.' },
    async ({ platform, caller, params, query }) => {
      if (params.id === caller.keyId && query.current !== 'yes') {
        throw new ServiceError(409, 'This is the key in use. Add ?current=yes to revoke it anyway.')
      }
      await revokeOwnKey(platform, caller.account.id, params.id)
    },
  ),
]
