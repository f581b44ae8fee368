import { topUpFor } from '../../../contract/account/balance.ts'
import { orderTopUpHeader } from '../../../contract/interface/headers.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import { databaseNow, leasedUntil } from '../../platform/db/leases.ts'
import { pollWrite } from '../../platform/db/poll-write.ts'
import type { Account } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { move, readAvailable } from '../books/move.ts'
import { takenOver } from './idempotency.ts'

/** Poll interval and timeout while another order of the account tops its balance up. */
const poll = { longestPollMs: 250, waitsForMs: 3 * 60_000 }

/** `topUpCents`: what the card pays in whatever there is; null: what is missing. */
type Wish = { idempotencyKey: string; amountCents: number; topUpCents: number | null }

/**
 * Reserves the price of an order in the balance. Where it does not suffice, the card is to be charged: by one order of
 * the account at a time, on any node, so that the others find what it has paid in.
 * @returns what the card is to be asked for, 0 if the balance pays
 * @throws ServiceError 503 if another top-up takes very long
 */
export async function reserve(platform: Platform, account: Account, wish: Wish): Promise<number> {
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
  { idempotencyKey: idempotency_key, amountCents: amount_cents, topUpCents }: Wish,
): Promise<number | null> {
  const account = await trx.selectFrom('accounts').selectAll().where('id', '=', trx.accountId).executeTakeFirstOrThrow()
  const available = await readAvailable(trx, account)
  const isShort = topUpCents !== null || available < amount_cents
  if (isShort && (await isToppedUp(trx))) return null
  const missing = isShort ? topUpFor(amount_cents - Math.max(0, available), account.top_up_cents) : 0
  const top_up_cents = topUpCents ?? missing
  const of = { account_id: account.id, currency: account.currency, created_at: clock(), node }
  await trx
    .insertInto('charge_intents')
    .values({ ...of, idempotency_key, amount_cents, top_up_cents, leased_until: leasedUntil })
    .execute()
  return top_up_cents
}

/**
 * How an order that is not yet written is paid: by the balance, after the card has paid `topUp` in, if any.
 * `transactionId` is that of the top-up, or of its own (`bal_…`; `free_…` if it costs nothing).
 */
export type Charge = {
  idempotencyKey: string
  transactionId: string
  isFree?: true
  topUp: { amountCents: number; card: string } | null
}

/** What a customer was told that the card pays in, for all orders of a batch together. */
export type ShownTopUp = { maxTopUpCents: number; batch: string | null }

/** @throws ServiceError 409 if the card would pay in more for an order than was shown (decision 149) */
export async function requireShown(
  { db }: Platform,
  { id, currency }: Account,
  cents: number,
  { maxTopUpCents, batch }: ShownTopUp,
): Promise<void> {
  if (cents === 0) return
  const { paid } = await db
    .selectFrom('ledger')
    .innerJoin('files', 'files.id', 'ledger.file_id')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('ledger.top_up_cents'), eb.lit(0)).as('paid'))
    .where('files.account_id', '=', id)
    .where('files.batch', '=', batch)
    .where('ledger.kind', '=', 'charge')
    .executeTakeFirstOrThrow()
  if (Number(paid) + cents <= maxTopUpCents) return
  const words = `The balance does not cover this order: the card would pay in ${centsToDecimal(cents)} ${currency}, more than was shown. Nothing was charged.`
  throw new ServiceError(409, words, { [orderTopUpHeader]: String(cents) })
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

/**
 * Enters what the card paid in for something, in the transaction that writes it, which frees what was reserved.
 * @throws ServiceError 503 if it was considered orphaned, and voided
 */
export async function enterPaid(trx: AccountTrx, charge: Charge, currency: string, now: number): Promise<void> {
  const { idempotencyKey, transactionId, isFree, topUp } = charge
  const settled = await trx
    .deleteFrom('charge_intents')
    .where('idempotency_key', '=', idempotencyKey)
    .where('is_void', '=', 0)
    .executeTakeFirst()
  if (settled.numDeletedRows === 0n && isFree !== true) throw takenOver()
  if (topUp !== null) await enterTopUp(trx, { transactionId, idempotencyKey, currency, ...topUp }, now)
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
  const by = card === null ? '' : ` by ${card}`
  await appendLog(trx, { action: 'payment', detail: `${centsToDecimal(amountCents)} ${currency} paid in${by}` }, now)
}
