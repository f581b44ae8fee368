import { randomBytes } from 'node:crypto'
import { type Environment, keyPrefix } from '../../../contract/interface/environment.ts'
import { hashKey } from '../../platform/db/key-hash.ts'
import type { Db } from '../../platform/db/open.ts'
import { mintId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'

/** A key's text is shown this once; `keyId` names it from then on. */
export type MintedKey = { keyId: string; key: string }

/** Creates a key for an account. `expiresAt` in milliseconds since 1970, null for never. */
export async function createKey(
  db: Db,
  account: { id: string; environment: Environment },
  key: { name: string; expiresAt: number | null },
  now: number,
): Promise<MintedKey> {
  const text = keyPrefix(account.environment) + randomBytes(20).toString('hex')
  const keyId = mintId('k')
  await db
    .insertInto('api_keys')
    .values({
      id: keyId,
      account_id: account.id,
      name: key.name,
      hash: hashKey(text),
      last_four: text.slice(-4),
      created_at: now,
      expires_at: key.expiresAt,
    })
    .execute()
  return { keyId, key: text }
}

/**
 * Revokes a key: from now on every request with it is 401, in every process, and its event streams end.
 * @returns false if there is no such key or it has been revoked already
 */
export async function revokeKey(
  platform: Pick<Platform, 'db' | 'changes' | 'clock'>,
  which: { keyId: string } | { key: string },
): Promise<boolean> {
  const update = platform.db
    .updateTable('api_keys')
    .set({ revoked_at: platform.clock() })
    .where('revoked_at', 'is', null)
    .returning(['id', 'account_id'])
  const revoked = await ('keyId' in which
    ? update.where('id', '=', which.keyId)
    : update.where('hash', '=', hashKey(which.key))
  ).executeTakeFirst()
  if (revoked === undefined) return false
  platform.changes.notify({ kind: 'key-revoked', accountId: revoked.account_id, keyId: revoked.id })
  return true
}
