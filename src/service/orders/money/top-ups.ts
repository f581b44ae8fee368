import { topUpFor } from '../../../contract/account/balance.ts'
import { databaseNow, leasedUntil } from '../../platform/db/leases.ts'
import { pollWrite } from '../../platform/db/poll-write.ts'
import type { Account } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { move, readAvailable } from '../books/move.ts'

/** Poll interval and timeout while another order of the account tops its balance up. */
const poll = { longestPollMs: 250, waitsForMs: 3 * 60_000 }

/**
 * Reserves the price of an order in the balance. Where it does not suffice, the card is to be charged: by one order of
 * the account at a time, on any node, so that the others find what it has paid in.
 * @returns what the card is to be asked for, 0 if the balance pays
 * @throws ServiceError 503 if another top-up takes very long
 */
export async function reserve(
  platform: Platform,
  account: Account,
  wish: { idempotencyKey: string; amountCents: number },
): Promise<number> {
  const { db, ending: signal } = platform
  const attempt = (trx: AccountTrx) => tryReserve(trx, platform, wish)
  const topUpCents = await pollWrite(db, account.id, attempt, { ...poll, signal })
  if (topUpCents !== null) return topUpCents
  const words = 'Another payment of this account has not ended yet. Nothing was charged. Retry in a while.'
  throw new ServiceError(503, words, { 'retry-after': '30' })
}

/** @returns null if another order is topping the balance up */
async function tryReserve(
  trx: AccountTrx,
  { clock, node }: Platform,
  { idempotencyKey: idempotency_key, amountCents: amount_cents }: { idempotencyKey: string; amountCents: number },
): Promise<number | null> {
  const account = await trx.selectFrom('accounts').selectAll().where('id', '=', trx.accountId).executeTakeFirstOrThrow()
  const available = await readAvailable(trx, account)
  const isShort = available < amount_cents
  if (isShort && (await isToppedUp(trx))) return null
  const top_up_cents = isShort ? topUpFor(amount_cents - Math.max(0, available), account.top_up_cents) : 0
  const of = { account_id: account.id, currency: account.currency, created_at: clock(), node }
  await trx
    .insertInto('charge_intents')
    .values({ ...of, idempotency_key, amount_cents, top_up_cents, leased_until: leasedUntil })
    .execute()
  return top_up_cents
}

/** Whether a live order of the account is topping its balance up now. */
async function isToppedUp(trx: AccountTrx): Promise<boolean> {
  const other = trx
    .selectFrom('charge_intents')
    .select('idempotency_key')
    .where('account_id', '=', trx.accountId)
    .where('top_up_cents', '>', 0)
    .where('is_void', '=', 0)
    .where('leased_until', '>', databaseNow)
  return (await other.limit(1).executeTakeFirst()) !== undefined
}

/** Money that a card has paid in: `transactionId` is the payment provider's, `card` as on a receipt. */
export type PaidIn = {
  transactionId: string
  idempotencyKey: string
  amountCents: number
  currency: string
  card: string | null
}

/** Enters in the balance what a card has paid in. The same transaction is entered once. */
export async function enterTopUp(trx: AccountTrx, paid: PaidIn, now: number): Promise<void> {
  const { transactionId: transaction_id, idempotencyKey: idempotency_key, amountCents, currency, card } = paid
  const of = { account_id: trx.accountId, currency, card, created_at: now }
  const entered = await trx
    .insertInto('top_ups')
    .values({ ...of, transaction_id, idempotency_key, amount_cents: amountCents })
    .onConflict((conflict) => conflict.column('transaction_id').doNothing())
    .executeTakeFirst()
  if (entered.numInsertedOrUpdatedRows === 0n) return
  const books = { from: 'card', to: 'balance' } as const
  await move(trx, { cause: 'top-up', reference: transaction_id, ...books, amountCents, currency }, now)
}
