import { writeAccount } from '../../platform/db/write-account.ts'
import type { Movement } from '../../platform/payment-provider.ts'
import type { Platform } from '../../platform/platform.ts'
import { move, readAvailable } from './move.ts'

/**
 * Enters a refund that the provider has paid and the books do not know. It comes out of the balance; what that lacks the
 * operator bears, as the order that it refunded may be back with the restored data.
 * @returns false if its charge is not in the books
 */
export async function enterLostRefund(
  { db, clock, changes }: Pick<Platform, 'db' | 'clock' | 'changes'>,
  { transactionId, idempotencyKey, id, amountCents: minusCents, currency }: Movement,
): Promise<boolean> {
  const topUp = db.selectFrom('top_ups').select('account_id').where('transaction_id', '=', transactionId)
  const accountId = (await topUp.executeTakeFirst())?.account_id
  if (accountId === undefined) return false
  const [amountCents, reference, now] = [-minusCents, idempotencyKey ?? id, clock()]
  await writeAccount(db, accountId, async (trx) => {
    const of = { account_id: accountId, top_up: transactionId, refund: null, currency, created_at: now, due_at: now }
    await trx
      .insertInto('card_refunds')
      .values({ ...of, idempotency_key: reference, amount_cents: amountCents, status: 'settled' })
      .execute()
    const missing = amountCents - (await readAvailable(trx, { id: accountId, currency }))
    const books = { reference, currency }
    if (missing > 0)
      await move(trx, { cause: 'loss', from: 'loss', to: 'balance', amountCents: missing, ...books }, now)
    await move(trx, { cause: 'payout', from: 'balance', to: 'refunds', amountCents, ...books }, now)
    await move(trx, { cause: 'refund-paid', from: 'refunds', to: 'card', amountCents, ...books }, now)
  })
  changes.notify({ kind: 'account', accountId })
  return true
}
