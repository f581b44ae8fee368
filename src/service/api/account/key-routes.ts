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
import { answer, nothing, queries } from '../http/operation.ts'
import { queryChoice } from '../http/read-request.ts'
import { route } from '../http/route.ts'

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

/** `keys`: list, create, rename, revoke. */
export const keyRoutes = [
  route({
    call: 'get /keys',
    summary: 'List keys',
    answers: { 200: apiKeyList },
    handler: async ({ platform: { db, clock }, caller }) => {
      const keys = await workingKeys(db, caller.account.id, clock())
      return { keys: keys.map((key) => toKeyEntry(key, caller.keyId)) }
    },
  }),
  route({
    call: 'post /keys',
    summary: 'Create a key',
    answers: { 201: answer(createdApiKey, 'Created. The key is shown only once.') },
    body: newApiKey,
    handler: async ({ platform, caller, body: { name, expires } }) => {
      const expiresAt = expires == null ? null : Date.parse(expires)
      if (expiresAt !== null && expiresAt <= platform.clock()) {
        throw new ServiceError(400, '"expires" must be in the future.')
      }
      const { key, row } = await makeKey(platform, caller.account, { name, expiresAt })
      return { key, entry: toKeyEntry(row, caller.keyId) }
    },
  }),
  route({
    call: 'patch /keys/{id}',
    summary: 'Rename a key',
    answers: { 200: apiKey },
    body: apiKeyRename,
    handler: async ({ platform, caller, params, body }) =>
      toKeyEntry(await renameKey(platform, caller.account.id, params.id, body.name), caller.keyId),
  }),
  route({
    call: 'delete /keys/{id}',
    summary: 'Revoke a key',
    answers: { 204: nothing, 409: 'It is the key in use.' },
    query: queries({ current: '`yes` to revoke the key in use.' }),
    handler: async ({ platform, caller, params, request }) => {
      if (params.id === caller.keyId && queryChoice(request, 'current', ['yes']) !== 'yes') {
        throw new ServiceError(409, 'This is the key in use. Add ?current=yes to revoke it anyway.')
      }
      await revokeOwnKey(platform, caller.account.id, params.id)
    },
  }),
]
