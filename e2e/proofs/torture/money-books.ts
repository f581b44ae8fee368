import type { LocalStripe } from '../../../src/service/orders/money/payment/stripe/testing/local-stripe.ts'
import type { Db } from '../../../src/service/platform/db/open.ts'
import { Tally } from './rounds.ts'

/** Compares what cards paid in and got back with the provider, to the cent, and adds up the books of each account. */
export async function compareWithProvider(db: Db, provider: LocalStripe): Promise<Tally> {
  const tally = new Tally('sums in the books and at the provider')
  const [paid, back] = [provider.standing, provider.returned]
  for (const { transaction_id, amount_cents } of await db.selectFrom('top_ups').selectAll().execute()) {
    if (!transaction_id.startsWith('test_')) continue // a test card's
    const cents = paid.get(transaction_id)
    tally.count(cents === amount_cents, `${transaction_id} of ${amount_cents} is ${cents} at the provider`)
    paid.delete(transaction_id)
  }
  const refunds = db.selectFrom('card_refunds').selectAll().where('top_up', 'like', 'test%')
  for (const { idempotency_key, amount_cents, status } of await refunds.execute()) {
    const cents = back.get(idempotency_key)
    if (status !== 'settled' && cents === undefined) continue
    tally.count(cents === amount_cents, `refund ${idempotency_key} of ${amount_cents} is ${cents} at the provider`)
    back.delete(idempotency_key)
  }
  for (const [id, cents] of [...paid, ...back]) tally.count(false, `${id} of ${cents} is only at the provider`)
  const sums = db.selectFrom('books').select((eb) => ['account_id', eb.fn.sum<number>('amount_cents').as('cents')])
  for (const { account_id, cents } of await sums.groupBy('account_id').execute()) {
    tally.count(Number(cents) === 0, `the books of ${account_id} add up to ${cents}`)
  }
  return tally
}
