import { createHash } from 'node:crypto'
import { idempotencyRetentionMs } from '../../contract/limits.ts'
import type { Trx } from '../db/open.ts'
import type { Platform } from '../platform.ts'
import { ServiceError } from '../service-error.ts'

/** A request that may be sent again: the client's `Idempotency-Key` (decision 7). */
export type Repeatable = { key: string }

/** What is stored with an order. */
export type Answer = { key: string; fingerprint: string }

/** A hash of everything that a request asks for. */
export function fingerprint(asked: unknown): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex')
}

/** Requests under way by account and key, so that a second one waits for the first one's answer. */
const underWay = new Map<string, Promise<unknown>>()

/**
 * Runs `create` once for an idempotency key: a retry gets the first answer, and waits for it where the first request is
 * still under way. A failed request is not stored, so that it can be retried.
 * @param create makes the order, and stores the answer with it
 * @throws ServiceError 422 where the key was used for another request
 */
export async function once(
  platform: Platform,
  accountId: string,
  repeatable: Repeatable | null,
  fingerprint: string,
  create: (answer: Answer | null) => Promise<{ id: string }>,
): Promise<{ id: string }> {
  if (repeatable === null) return create(null)
  const answer = { ...repeatable, fingerprint }
  const slot = `${accountId} ${repeatable.key}`
  for (let busy = underWay.get(slot); busy !== undefined; busy = underWay.get(slot)) await busy
  const work = (async () => (await answerOf(platform, accountId, answer)) ?? create(answer))()
  underWay.set(
    slot,
    work.then(
      () => underWay.delete(slot),
      () => underWay.delete(slot),
    ),
  )
  return work
}

async function answerOf(
  { db, clock }: Platform,
  accountId: string,
  { key, fingerprint }: Answer,
): Promise<{ id: string } | null> {
  const known = await db
    .selectFrom('idempotency')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .where('created_at', '>', clock() - idempotencyRetentionMs)
    .executeTakeFirst()
  if (known === undefined) return null
  if (known.fingerprint === fingerprint) return JSON.parse(known.body)
  throw new ServiceError(422, 'This Idempotency-Key was used for another order. Use a new key for a new order.')
}

/** Stores the answer in the order's own transaction, so that neither ever exists without the other. */
export async function rememberAnswer(
  trx: Trx,
  accountId: string,
  { key, fingerprint }: Answer,
  fileId: string,
  now: number,
): Promise<void> {
  await trx
    .replaceInto('idempotency')
    .values({
      account_id: accountId,
      key,
      fingerprint,
      status: 201,
      body: JSON.stringify({ id: fileId }),
      created_at: now,
    })
    .execute()
}
