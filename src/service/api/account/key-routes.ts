import type { FastifyInstance } from 'fastify'
import { type ApiKeyEntry, apiKeyRename, type CreatedApiKey, newApiKey } from '../../../contract/account/keys.ts'
import { makeKey, renameKey, revokeOwnKey, workingKeys } from '../../accounts/auth/keys.ts'
import type { ApiKey } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { queryChoice, readBody } from '../http/read-request.ts'

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())

function toKeyEntry(row: ApiKey, currentKeyId: string): ApiKeyEntry {
  return {
    id: row.id,
    name: row.name,
    last_four: row.last_four,
    created: new Date(row.created_at).toISOString(),
    last_used: iso(row.last_used_at),
    expires: iso(row.expires_at),
    current: row.id === currentKeyId,
  }
}

/** `keys`: list, make, rename, revoke. */
export async function keyRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db, clock } = platform
  app.get('keys', async ({ caller }) => {
    const keys = await workingKeys(db, caller.account.id, clock())
    return { keys: keys.map((key) => toKeyEntry(key, caller.keyId)) }
  })

  app.post('keys', async (request, reply): Promise<CreatedApiKey> => {
    const { account, keyId } = request.caller
    const { name, expires } = readBody(newApiKey, request)
    const expiresAt = expires == null ? null : Date.parse(expires)
    if (expiresAt !== null && expiresAt <= clock()) throw new ServiceError(400, '"expires" must be in the future.')
    const { key, row } = await makeKey(platform, account, { name, expiresAt })
    reply.code(201)
    return { key, entry: toKeyEntry(row, keyId) }
  })

  app.patch<{ Params: { id: string } }>('keys/:id', async (request) => {
    const { account, keyId } = request.caller
    const { name } = readBody(apiKeyRename, request)
    return toKeyEntry(await renameKey(platform, account.id, request.params.id, name), keyId)
  })

  app.delete<{ Params: { id: string } }>('keys/:id', async (request, reply) => {
    const { account, keyId } = request.caller
    const { id } = request.params
    if (id === keyId && queryChoice(request, 'current', ['yes']) !== 'yes') {
      throw new ServiceError(409, 'This is the key in use. Add ?current=yes to revoke it anyway.')
    }
    await revokeOwnKey(platform, account.id, id)
    return reply.code(204).send()
  })
}
