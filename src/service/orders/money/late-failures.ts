import { centsToDecimal } from '../../../contract/interface/price.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { CardRefund, TopUp } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { keepFromCard } from '../books/card-refunds.ts'
import { move, readAvailable } from '../books/move.ts'
import { lateTransactionPrefix } from './payment/ledger-payment.ts'
import { leaveUnpaid, nextUnpaid } from './unpaid-orders.ts'

/** Delay until a charge of a late-failing test card fails. */
export const failsLateAfterMs = 10_000

/**
 * Brings the books to what the bank has taken back of a top-up (decisions 33 and 146). The balance pays for it as far as it
 * reaches; then orders count as unpaid, the one that the top-up was made for first, then the newest ones: wholly if all of
 * the top-up was taken, else by no more than is missing. What has gone back to the card before stays there; if that is more
 * than there is, the operator bears it. What the bank gives back (a dispute that was won) goes to the balance; orders that
 * counted as unpaid stay so.
 * @param transactionId the payment provider's
 * @param reversedCents what the bank has now, of all disputes of it
 * @returns what was taken since; negative: given back. 0 if the books had it so, or there is no such top-up
 */
export async function enterReversal(
  { db, changes, clock }: Pick<Platform, 'db' | 'changes' | 'clock'>,
  transactionId: string,
  reversedCents: number,
): Promise<number> {
  const known = db.selectFrom('top_ups').select('account_id').where('transaction_id', '=', transactionId)
  const { account_id: accountId } = (await known.executeTakeFirst()) ?? {}
  if (accountId === undefined) return 0
  const taken = await writeAccount(db, accountId, async (trx) => {
    const whole = trx.selectFrom('top_ups').selectAll().where('transaction_id', '=', transactionId)
    const topUp = await whole.executeTakeFirstOrThrow()
    const most = topUp.amount_cents - (await sumParts(trx, transactionId, 'settled'))
    const cents = Math.min(reversedCents, most) - topUp.reversed_cents
    if (cents > 0) await take(trx, topUp, cents, topUp.reversed_cents + cents === most, clock())
    if (cents < 0) await giveBack(trx, topUp, -cents, clock())
    const moved = `${centsToDecimal(Math.abs(cents))} ${topUp.currency} ${cents > 0 ? 'taken back' : 'given back'} by the bank`
    if (cents !== 0) await appendLog(trx, { action: 'payment', detail: moved }, clock())
    return cents
  })
  if (taken !== 0) changes.notify({ kind: 'account', accountId })
  return taken
}

/** @param isWhole nothing of it is left */
async function take(trx: AccountTrx, topUp: TopUp, amountCents: number, isWhole: boolean, now: number): Promise<void> {
  const { transaction_id: transactionId, currency } = topUp
  const account = { id: trx.accountId, currency }
  const lacks = async () =>
    amountCents - (await readAvailable(trx, account)) - (await sumParts(trx, transactionId, 'pending'))
  const tried: number[] = []
  for (let missing = await lacks(); missing > 0; missing = await lacks()) {
    const charge = await nextUnpaid(trx, transactionId, tried)
    if (charge === undefined) break
    tried.push(charge.id)
    await leaveUnpaid(trx, charge, isWhole ? null : missing, now)
  }
  await keepFromCard(trx, transactionId, now)
  const reference = await freeReference(trx, transactionId, 'reversal')
  const missing = amountCents - (await readAvailable(trx, account))
  const books = { reference, currency }
  if (missing > 0) await move(trx, { cause: 'loss', from: 'loss', to: 'balance', amountCents: missing, ...books }, now)
  await move(trx, { cause: 'reversal', from: 'balance', to: 'card', amountCents, ...books }, now)
  await setReversed(trx, topUp, topUp.reversed_cents + amountCents)
  await appendEvent(
    trx,
    'payment-failed',
    { reason: `The bank took back ${centsToDecimal(amountCents)} ${currency}, which the card had paid in.` },
    now,
  )
}

async function giveBack(trx: AccountTrx, topUp: TopUp, amountCents: number, now: number): Promise<void> {
  const reference = await freeReference(trx, topUp.transaction_id, 'reversal-won')
  const books = { reference, from: 'card', to: 'balance' } as const
  await move(trx, { cause: 'reversal-won', ...books, amountCents, currency: topUp.currency }, now)
  await setReversed(trx, topUp, topUp.reversed_cents - amountCents)
}

const setReversed = (trx: AccountTrx, { id }: TopUp, reversed_cents: number) =>
  trx.updateTable('top_ups').set({ reversed_cents }).where('id', '=', id).execute()

/** The same money may be taken and given back more than once, and each movement is entered once. */
async function freeReference(trx: AccountTrx, base: string, cause: 'reversal' | 'reversal-won'): Promise<string> {
  const { n } = await trx
    .selectFrom('movements')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('account_id', '=', trx.accountId)
    .where('cause', '=', cause)
    .where((eb) => eb.or([eb('reference', '=', base), eb('reference', 'like', `${base}-_`)]))
    .executeTakeFirstOrThrow()
  return n === 0 ? base : `${base}-${n + 1}`
}

/** What goes back to the card out of a top-up, in cents. */
async function sumParts(trx: AccountTrx, topUp: string, status: CardRefund['status']): Promise<number> {
  const { sum } = await trx
    .selectFrom('card_refunds')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amount_cents'), eb.lit(0)).as('sum'))
    .where('top_up', '=', topUp)
    .where('status', '=', status)
    .executeTakeFirstOrThrow()
  return Number(sum)
}

/** Fails due top-ups of late-failing test cards. @returns how many failed */
export async function failLateCharges(platform: Platform): Promise<number> {
  const due = await platform.db
    .selectFrom('top_ups')
    .select(['transaction_id', 'amount_cents'])
    .where('reversed_cents', '=', 0)
    .where('transaction_id', '>=', lateTransactionPrefix)
    .where('transaction_id', '<', `${lateTransactionPrefix}~`)
    .where('created_at', '<=', platform.clock() - failsLateAfterMs)
    .orderBy('id')
    .execute()
  for (const { transaction_id, amount_cents } of due) await enterReversal(platform, transaction_id, amount_cents)
  return due.length
}
