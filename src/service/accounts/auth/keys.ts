import { randomBytes } from 'node:crypto'
import type { KeyLimits } from '../../../contract/account/key-limits.ts'
import { type ApiKeyChange, noLimits } from '../../../contract/account/keys.ts'
import { type Environment, keyPrefix } from '../../../contract/interface/environment.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import { hashKey } from '../../platform/db/key-hash.ts'
import type { Db } from '../../platform/db/open.ts'
import type { ApiKey } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import { mintId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { notifyAccount } from '../notify-account.ts'
import type { Caller } from './authenticate.ts'
import { changeLimits, formatLimits, parseLimits, requireGrantable } from './key-limits.ts'

/** The key that gives rights to another. */
type Giver = Pick<Caller, 'limits'> & { account: { id: string; environment: Environment } }

/** Nobody can keep track of more keys. */
const mostKeys = 100

/** The key's text is shown only this once; `keyId` identifies it from then on. */
export type MintedKey = { keyId: string; key: string }

/** Creates a key for an account. `expiresAt` in milliseconds since 1970, null for never. */
export async function createKey(
  db: Db,
  account: { id: string; environment: Environment },
  key: { name: string; expiresAt: number | null; limits?: KeyLimits },
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
      limits_json: key.limits === undefined ? null : formatLimits(key.limits),
    })
    .execute()
  return { keyId, key: text }
}

function workingKeysAt(db: Db, now: number) {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
}

/** An account's keys that are neither revoked nor expired, newest first. */
export async function workingKeys(db: Db, accountId: string, now: number): Promise<ApiKey[]> {
  return await workingKeysAt(db, now)
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** The last four characters of a key that is in use. */
export async function readLastFour(db: Db, keyId: string): Promise<string> {
  const key = db.selectFrom('api_keys').select('last_four').where('id', '=', keyId)
  return (await key.executeTakeFirstOrThrow()).last_four
}

/** The account of a key; undefined if it is revoked or expired. */
export async function findAccountId(db: Db, keyId: string, now: number): Promise<string | undefined> {
  const key = await workingKeysAt(db, now).where('id', '=', keyId).executeTakeFirst()
  return key?.account_id
}

/** @throws ServiceError 404 for any other account's key too */
async function findKey(db: Db, accountId: string, keyId: string, now: number): Promise<ApiKey> {
  const key = (await workingKeys(db, accountId, now)).find(({ id }) => id === keyId)
  if (key === undefined) throw new ServiceError(404, 'There is no such key. It may have been revoked.')
  return key
}

/** Creates a key at the request of another. @throws ServiceError 409 for more than 100, and as `requireGrantable` */
export async function makeKey(
  platform: Platform,
  giver: Giver,
  wanted: { name: string; expiresAt: number | null; limits?: KeyLimits },
): Promise<{ key: string; row: ApiKey }> {
  const now = platform.clock()
  const { account } = giver
  return await notifyAccount(platform, account.id, async (trx) => {
    await requireGrantable(trx, giver, wanted.limits ?? noLimits)
    if ((await workingKeys(trx, account.id, now)).length >= mostKeys) {
      throw new ServiceError(409, `An account can have at most ${mostKeys} keys. Revoke one first.`)
    }
    const { keyId, key } = await createKey(trx, account, wanted, now)
    await appendLog(trx, { action: 'key', detail: `made “${wanted.name}”${describeLimits(wanted.limits)}` }, now)
    return { key, row: await findKey(trx, account.id, keyId, now) }
  })
}

/**
 * Changes the name or the limits of a key at the request of another, or of itself.
 * @throws ServiceError 404; 409 if no key with the right “manage” would be left; as `requireGrantable`
 */
export async function changeKey(
  platform: Platform,
  giver: Giver,
  keyId: string,
  { name, ...change }: ApiKeyChange,
): Promise<ApiKey> {
  const now = platform.clock()
  const { id: accountId } = giver.account
  return await notifyAccount(platform, accountId, async (trx) => {
    const key = await findKey(trx, accountId, keyId, now)
    const before = parseLimits(key)
    const limits = changeLimits(before, change)
    const limits_json = formatLimits(limits)
    if (limits_json !== key.limits_json) {
      await requireGrantable(trx, giver, limits)
      if (!limits.rights.includes('manage')) await requireOtherManager(trx, keyId, now)
    }
    const changed = { name: name ?? key.name, limits_json }
    await trx.updateTable('api_keys').set(changed).where('id', '=', keyId).execute()
    const renamed = changed.name === key.name ? '' : `renamed “${key.name}” to “${changed.name}”`
    const limited = limits_json === key.limits_json ? '' : `changed “${changed.name}”${describeLimits(limits)}`
    const detail = [renamed, limited].filter((part) => part !== '').join(', ')
    if (detail !== '') await appendLog(trx, { action: 'key', detail }, now)
    return { ...key, ...changed }
  })
}

async function requireOtherManager(trx: AccountTrx, keyId: string, now: number): Promise<void> {
  const others = (await workingKeys(trx, trx.accountId, now)).filter(({ id }) => id !== keyId)
  if (others.some((key) => parseLimits(key).rights.includes('manage'))) return
  throw new ServiceError(409, 'No key with the right “manage” would be left. Make one first.')
}

/** For the audit log: ` (read, order; 20.00 a month; 2 projects)`. */
function describeLimits(limits: KeyLimits | undefined): string {
  if (limits === undefined || formatLimits(limits) === null) return ''
  const { rights, month_limit_cents: cents, total_limit_cents: inAll = null, projects } = limits
  const parts = [
    rights.join(', '),
    ...(cents === null ? [] : [`${centsToDecimal(cents)} a month`]),
    ...(inAll === null ? [] : [`${centsToDecimal(inAll)} in all`]),
    ...(projects === null ? [] : [`${projects.length} ${projects.length === 1 ? 'project' : 'projects'}`]),
  ]
  return ` (${parts.join('; ')})`
}

/** Revokes a key at its account's request. @throws ServiceError 404 */
export async function revokeOwnKey(platform: Platform, accountId: string, keyId: string): Promise<void> {
  const now = platform.clock()
  await notifyAccount(platform, accountId, async (trx) => {
    const { name } = await findKey(trx, accountId, keyId, now)
    await trx.updateTable('api_keys').set({ revoked_at: now }).where('id', '=', keyId).execute()
    await appendLog(trx, { action: 'key', detail: `revoked “${name}”` }, now)
  })
  platform.changes.notify({ kind: 'key-revoked', accountId, keyId })
}

/**
 * Revokes a key for the operator: from now on every process answers it 401, and its event streams end.
 * @returns false if there is no such key or it has been revoked already
 */
export async function revokeKey(
  platform: Pick<Platform, 'db' | 'changes' | 'clock'>,
  which: { keyId: string } | { key: string },
): Promise<boolean> {
  const keys = platform.db.selectFrom('api_keys').select(['id', 'account_id', 'name']).where('revoked_at', 'is', null)
  const key = await ('keyId' in which
    ? keys.where('id', '=', which.keyId)
    : keys.where('hash', '=', hashKey(which.key))
  ).executeTakeFirst()
  if (key === undefined) return false
  const { id: keyId, account_id: accountId, name } = key
  const now = platform.clock()
  const isRevoked = await notifyAccount(platform, accountId, async (trx) => {
    const update = trx.updateTable('api_keys').set({ revoked_at: now }).where('id', '=', keyId)
    if ((await update.where('revoked_at', 'is', null).executeTakeFirst()).numUpdatedRows === 0n) return false
    await appendLog(trx, { action: 'key', detail: `revoked “${name}” by the operator` }, now)
    return true
  })
  if (isRevoked) platform.changes.notify({ kind: 'key-revoked', accountId, keyId })
  return isRevoked
}

/** The current name of a key; entries keep it even after the key is gone. */
export async function readKeyName(trx: AccountTrx, keyId: string): Promise<string> {
  const key = await trx.selectFrom('api_keys').select('name').where('id', '=', keyId).executeTakeFirst()
  return key?.name ?? ''
}
