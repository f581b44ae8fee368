import type { FastifyInstance } from 'fastify'
import { type ApiKeyEntry, apiKeyRename, type CreatedApiKey, newApiKey } from '../../../contract/account/keys.ts'
import { createKey, revokeKey } from '../../accounts/auth/keys.ts'
import { notifyAccount } from '../../accounts/events/notify-account.ts'
import type { ApiKey } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { queryChoice, readBody } from '../http/read-request.ts'

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())

/** Nobody can keep track of more keys than this. */
const mostKeys = 100

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

/** Keys that are neither revoked nor expired, newest first. */
async function workingKeys({ db, clock }: Platform, accountId: string): Promise<ApiKey[]> {
  return await db
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock())]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** @throws ServiceError 404 for any other account's key too */
async function findKey(platform: Platform, accountId: string, id: string): Promise<ApiKey> {
  const key = (await workingKeys(platform, accountId)).find((each) => each.id === id)
  if (key === undefined) throw new ServiceError(404, 'There is no such key. It may have been revoked.')
  return key
}

/** `keys`: list, make, rename, revoke. */
export async function keyRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db, clock } = platform
  app.get('keys', async ({ caller }) => {
    const keys = await workingKeys(platform, caller.account.id)
    return { keys: keys.map((key) => toKeyEntry(key, caller.keyId)) }
  })

  app.post('keys', async (request, reply): Promise<CreatedApiKey> => {
    const { account, keyId: currentId } = request.caller
    const { name, expires } = readBody(newApiKey, request)
    const expiresAt = expires == null ? null : Date.parse(expires)
    if (expiresAt !== null && expiresAt <= clock()) throw new ServiceError(400, '"expires" must be in the future.')
    if ((await workingKeys(platform, account.id)).length >= mostKeys) {
      throw new ServiceError(409, `An account can have at most ${mostKeys} keys. Revoke one first.`)
    }
    const { keyId, key } = await createKey(db, account, { name, expiresAt }, clock())
    await notifyAccount(platform, account.id, { action: 'key', detail: `made “${name}”` })
    reply.code(201)
    return { key, entry: toKeyEntry(await findKey(platform, account.id, keyId), currentId) }
  })

  app.patch<{ Params: { id: string } }>('keys/:id', async (request) => {
    const { account, keyId } = request.caller
    const { name } = readBody(apiKeyRename, request)
    const key = await findKey(platform, account.id, request.params.id)
    await db.updateTable('api_keys').set({ name }).where('id', '=', key.id).execute()
    await notifyAccount(platform, account.id, { action: 'key', detail: `renamed “${key.name}” to “${name}”` })
    return toKeyEntry({ ...key, name }, keyId)
  })

  app.delete<{ Params: { id: string } }>('keys/:id', async (request, reply) => {
    const { account, keyId } = request.caller
    const key = await findKey(platform, account.id, request.params.id)
    if (key.id === keyId && queryChoice(request, 'current', ['yes']) !== 'yes') {
      throw new ServiceError(409, 'This is the key in use. Add ?current=yes to revoke it anyway.')
    }
    await revokeKey(platform, { keyId: key.id })
    await notifyAccount(platform, account.id, { action: 'key', detail: `revoked “${key.name}”` })
    return reply.code(204).send()
  })
}
