import { maxStoredTries } from '../../../contract/account/webhooks.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { Delivery } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Attempt } from './attempt.ts'
import { pauseWebhook, readWebhook } from './endpoint.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Backoff after each failed attempt (decision 9); a little over three days in total. */
export const retryAfterMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** Jitter: each delay varies by this fraction, so that deliveries that failed together are not retried together. */
const spread = 0.1

/**
 * Backoff in milliseconds after the failed attempt at a step of the schedule (0: the first), or null after the last.
 * @param random 0 to 1
 */
function retryPauseMs(step: number, random: number): number | null {
  const pauseMs = retryAfterMs[step]
  return pauseMs === undefined ? null : Math.round(pauseMs * (1 + spread * (2 * random - 1)))
}

/** True if another delivery of the account succeeded after this one was queued: the receiver works. */
async function receiverWorks(trx: AccountTrx, delivery: Delivery): Promise<boolean> {
  const delivered = await trx
    .selectFrom('deliveries')
    .select('id')
    .where('account_id', '=', delivery.account_id)
    .where('state', '=', 'delivered')
    .where('updated_at', '>=', delivery.created_at)
    .limit(1)
    .executeTakeFirst()
  return delivered !== undefined
}

/** Records whether the account's receiver works, and if not, since when. */
async function noteReceiver(trx: AccountTrx, failing_since: number | null): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ failing_since })
    .where('account_id', '=', trx.accountId)
    .where('failing_since', failing_since === null ? 'is not' : 'is', null)
    .execute()
}

/** Stores one attempt in full, and deletes the oldest beyond the limit. */
async function storeTry(trx: AccountTrx, { id, attempts }: Delivery, attempt: Attempt): Promise<void> {
  const number = attempts + 1
  await trx
    .insertInto('delivery_tries')
    .values({
      delivery_id: id,
      number,
      tried_at: attempt.triedAt,
      status: attempt.status,
      took_ms: attempt.tookMs,
      error: attempt.error,
      request_json: JSON.stringify(attempt.request),
      response_json: attempt.response === null ? null : JSON.stringify(attempt.response),
    })
    .execute()
  await trx
    .deleteFrom('delivery_tries')
    .where('delivery_id', '=', id)
    .where('number', '<=', number - maxStoredTries)
    .execute()
}

/** Stores the result of an attempt and schedules the next; after the last one, pauses the webhook (decision 9). */
export async function recordAttempt(
  { db, changes, clock }: Pick<Platform, 'db' | 'changes' | 'clock'>,
  delivery: Delivery,
  attempt: Attempt,
  random: () => number,
): Promise<void> {
  const now = clock()
  await writeAccount(db, delivery.account_id, async (trx) => {
    const isTest = delivery.file_id === null
    const pauseMs =
      attempt.error === null || attempt.gone || isTest ? null : retryPauseMs(delivery.retry_step, random())
    const state = attempt.error === null ? 'delivered' : pauseMs === null ? 'failed' : 'waiting'
    const held = (await readWebhook(trx, delivery.account_id))?.paused_at != null
    const written = await trx
      .updateTable('deliveries')
      .set({
        response_status: attempt.status,
        response_ms: attempt.tookMs,
        error: attempt.error,
        state,
        attempts: delivery.attempts + 1,
        retry_step: delivery.retry_step + 1,
        next_attempt_at: pauseMs === null || held ? null : now + pauseMs,
        updated_at: now,
        leased_until: 0,
      })
      .where('id', '=', delivery.id)
      // Not if the webhook was removed in the meantime, or another process made this attempt.
      .where('state', '=', 'sending')
      .where('attempts', '=', delivery.attempts)
      .executeTakeFirst()
    if (written.numUpdatedRows === 0n) return
    await noteReceiver(trx, attempt.error === null ? null : now)
    await storeTry(trx, delivery, attempt)
    await appendEvent(trx, 'delivery', { id: delivery.id }, now)
    if (state !== 'failed' || isTest) return
    if (attempt.gone) {
      await pauseWebhook(trx, 'The receiver returned 410: it wants no more events.', now)
    } else if (!(await receiverWorks(trx, delivery))) {
      const reason = `All attempts failed for three days. The last one: ${attempt.error}`
      await pauseWebhook(trx, reason, now)
    }
  })
  changes.notify({ kind: 'account', accountId: delivery.account_id })
}
