import { writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { settlePart } from '../books/card-refunds.ts'

const partsAtOnce = 100
const shortestRefundPauseMs = 60_000
const longestRefundPauseMs = 24 * 60 * 60_000

/**
 * Sends back to cards what is due: refunds on the next business day (spec 8). What the provider rejects is retried with
 * exponential backoff, up to a day, so that it blocks no other.
 */
export async function settleRefunds(platform: Platform, signal: AbortSignal): Promise<void> {
  const { db, payment, clock, changes, log } = platform
  for (const { environment, ...part } of await dueParts(platform)) {
    if (signal.aborted) return
    const { idempotency_key: idempotencyKey, account_id: account, currency } = part
    const request = { idempotencyKey, account, transactionId: part.top_up, amountCents: part.amount_cents, currency }
    try {
      await payment[environment].refund(request, signal)
      await writeAccount(db, account, (trx) => settlePart(trx, part, clock()))
      changes.notify({ kind: 'account', accountId: account })
    } catch (error) {
      if (signal.aborted) return
      const pauseMs = Math.min(Math.max(clock() - part.due_at, shortestRefundPauseMs), longestRefundPauseMs)
      await db
        .updateTable('card_refunds')
        .set({ next_try_at: clock() + pauseMs })
        .where('idempotency_key', '=', idempotencyKey)
        .where('status', '=', 'pending')
        .execute()
      log.warn({ err: error, refund: idempotencyKey }, 'a refund could not be sent; it will be retried')
    }
  }
}

/** Longest waiting first. */
function dueParts({ db, clock }: Platform) {
  return db
    .selectFrom('card_refunds')
    .innerJoin('accounts', 'accounts.id', 'card_refunds.account_id')
    .selectAll('card_refunds')
    .select('accounts.environment')
    .where('status', '=', 'pending')
    .where('due_at', '<=', clock())
    .where((eb) => eb.fn.coalesce('next_try_at', 'due_at'), '<=', clock())
    .orderBy((eb) => eb.fn.coalesce('next_try_at', 'due_at'))
    .limit(partsAtOnce)
    .execute()
}
