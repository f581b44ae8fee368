import { createHash } from 'node:crypto'
import { idempotencyRetentionMs } from '../../../contract/interface/limits.ts'
import { databaseNow, Lease, leasedUntil } from '../../platform/db/leases.ts'
import { pollWrite } from '../../platform/db/poll-write.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'

/** A retriable request: the client's `Idempotency-Key` (decision 7). */
export type Repeatable = { key: string }

/** A request that has claimed its key, and stores its response with the order. */
export type Answer = { key: string; fence: number }

/** Poll interval and timeout while another request holds the same key. */
const poll = { longestPollMs: 500, waitsForMs: 10 * 60_000 }

/** A hash of everything in a request that determines its result. */
export function fingerprint(asked: unknown): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex')
}

/**
 * Runs `create` once per idempotency key, across all processes: a retry waits for the first request and gets its
 * response. A failed request is not stored, so that it can be retried; nor is that of a dead process, once its lease
 * has expired.
 * @param create makes the order, and stores the response with it
 * @throws ServiceError 422 if the key was used for another request, 409 if the first one takes very long
 */
export async function once(
  platform: Platform,
  accountId: string,
  repeatable: Repeatable | null,
  fingerprint: string,
  create: (answer: Answer | null) => Promise<{ id: string }>,
): Promise<{ id: string }> {
  if (repeatable === null) return create(null)
  const { key } = repeatable
  const claimed = await claim(platform, accountId, { key, fingerprint })
  if ('id' in claimed) return claimed
  const ours = platform.db
    .updateTable('idempotency')
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .where('fence', '=', claimed.fence)
  using _lease = new Lease(async () => {
    const renewed = await ours.set({ leased_until: leasedUntil }).executeTakeFirst()
    return renewed.numUpdatedRows > 0n
  })
  try {
    return await create(claimed)
  } catch (error) {
    await release(platform, accountId, claimed)
    throw error
  }
}

/** Claims the key once no other request holds it. @returns the claim, or the first request's response */
async function claim(
  platform: Platform,
  accountId: string,
  request: { key: string; fingerprint: string },
): Promise<Answer | { id: string }> {
  const attempt = (trx: AccountTrx) => tryClaim(trx, platform, request)
  const claimed = await pollWrite(platform.db, accountId, attempt, poll)
  if (claimed !== null) return claimed
  const words = 'The first request with this Idempotency-Key is still in progress. Retry in a while.'
  throw new ServiceError(409, words, { 'retry-after': '30' })
}

/** @returns null if another request holds the key */
async function tryClaim(
  trx: AccountTrx,
  { clock, node }: Platform,
  { key, fingerprint }: { key: string; fingerprint: string },
): Promise<Answer | { id: string } | null> {
  const known = await trx
    .selectFrom('idempotency')
    .selectAll()
    .select((eb) => eb.case().when('leased_until', '>', databaseNow).then(1).else(0).end().as('is_held'))
    .where('account_id', '=', trx.accountId)
    .where('key', '=', key)
    .executeTakeFirst()
  const now = clock()
  if (known !== undefined && known.created_at > now - idempotencyRetentionMs) {
    if (known.fingerprint !== fingerprint) {
      throw new ServiceError(422, 'This Idempotency-Key was used for another request. Use a new key for a new one.')
    }
    if (known.body !== null) return JSON.parse(known.body)
    if (known.is_held === 1) return null
  }
  const fence = (known?.fence ?? 0) + 1
  const claimed = { fingerprint, fence, node, leased_until: leasedUntil, body: null, created_at: now }
  await trx
    .insertInto('idempotency')
    .values({ account_id: trx.accountId, key, ...claimed })
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doUpdateSet(claimed))
    .execute()
  return { key, fence }
}

async function release({ db, log }: Platform, accountId: string, { key, fence }: Answer): Promise<void> {
  const row = db.deleteFrom('idempotency').where('account_id', '=', accountId).where('key', '=', key)
  try {
    // An order whose commit was not acknowledged may exist: then its response stays.
    await row.where('fence', '=', fence).where('body', 'is', null).execute()
  } catch (error) {
    log.warn({ err: error }, 'an idempotency key could not be freed; it is free once its lease has ended')
  }
}

/**
 * Stores the response in the order's own transaction, so that neither ever exists without the other.
 * @throws ServiceError 503 if another process has taken the request over
 */
export async function rememberAnswer(trx: AccountTrx, { key, fence }: Answer, fileId: string): Promise<void> {
  const stored = await trx
    .updateTable('idempotency')
    .set({ body: JSON.stringify({ id: fileId }), leased_until: 0 })
    .where('account_id', '=', trx.accountId)
    .where('key', '=', key)
    .where('fence', '=', fence)
    .executeTakeFirst()
  if (stored.numUpdatedRows === 0n) throw takenOver()
}

/** For an order that went so long without renewal that another process has given it up or created it. */
export function takenOver(): ServiceError {
  const words = 'This request stalled and was aborted. Nothing was charged; send it again.'
  return new ServiceError(503, words, { 'retry-after': '5' })
}
