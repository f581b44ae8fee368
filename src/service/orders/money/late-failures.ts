import { sql } from 'kysely'
import { fileById } from '../../platform/db/change-files.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { CardRefund, LedgerEntry, TopUp } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { cancelParts, keepFromCard } from '../books/card-refunds.ts'
import { move, readAvailable } from '../books/move.ts'
import { patchFile } from '../file/change-file.ts'
import { lateTransactionPrefix } from './payment/ledger-payment.ts'

/** Delay until a charge of a late-failing test card fails. */
export const failsLateAfterMs = 10_000

/** `delay_reason` of an order given up before its charge failed: there is nothing to refund. */
const givenUpUnpaid = 'The recording could not be transcribed. Its payment failed, so there is nothing to refund.'

/**
 * Enters that the bank has taken a top-up back (decision 33). The balance pays for it as far as it reaches; then orders
 * count as unpaid, the one that the top-up was made for first, then the newest ones. What has gone back
 * to the card before stays there; if that is more than there is, the operator bears it.
 * @param transactionId the payment provider's
 * @returns false if it was entered before, or there is no such top-up
 */
export async function reverseTopUp(
  { db, changes, clock }: Pick<Platform, 'db' | 'changes' | 'clock'>,
  transactionId: string,
): Promise<boolean> {
  const known = db.selectFrom('top_ups').select('account_id').where('transaction_id', '=', transactionId)
  const { account_id: accountId } = (await known.executeTakeFirst()) ?? {}
  if (accountId === undefined) return false
  const isNew = await writeAccount(db, accountId, async (trx) => {
    const whole = trx.selectFrom('top_ups').selectAll().where('transaction_id', '=', transactionId)
    const topUp = await whole.executeTakeFirstOrThrow()
    if (topUp.reversed_cents > 0) return false // another process was faster
    return await reverse(trx, topUp, clock())
  })
  if (isNew) changes.notify({ kind: 'account', accountId })
  return isNew
}

/** @returns false if all of it has gone back to the card before */
async function reverse(trx: AccountTrx, topUp: TopUp, now: number): Promise<boolean> {
  const { transaction_id: reference, currency } = topUp
  const amountCents = topUp.amount_cents - (await sumParts(trx, reference, 'settled'))
  if (amountCents === 0) return false
  const account = { id: trx.accountId, currency }
  const isShort = async () =>
    (await readAvailable(trx, account)) + (await sumParts(trx, reference, 'pending')) < amountCents
  for (let charge = await nextUnpaid(trx, reference); charge !== undefined && (await isShort()); ) {
    await failCharge(trx, charge, now)
    charge = await nextUnpaid(trx, reference)
  }
  await keepFromCard(trx, reference, now)
  const missing = amountCents - (await readAvailable(trx, account))
  const books = { reference, currency }
  if (missing > 0) await move(trx, { cause: 'loss', from: 'loss', to: 'balance', amountCents: missing, ...books }, now)
  await move(trx, { cause: 'reversal', from: 'balance', to: 'card', amountCents, ...books }, now)
  await trx.updateTable('top_ups').set({ reversed_cents: amountCents }).where('id', '=', topUp.id).execute()
  await appendEvent(trx, 'payment-failed', { reason: `The bank reversed the charge ${reference}.` }, now)
  return true
}

/** What goes back to the card out of a top-up, in cents. */
async function sumParts(trx: AccountTrx, topUp: string, status: CardRefund['status']): Promise<number> {
  const { sum } = await trx
    .selectFrom('card_refunds')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amount_cents'), eb.lit(0)).as('sum'))
    .where('top_up', '=', topUp)
    .where('status', '=', status)
    .executeTakeFirstOrThrow()
  return sum
}

/** The charge that counts as unpaid next: that of the order which the top-up was made for, then the newest. */
async function nextUnpaid(trx: AccountTrx, topUp: string): Promise<LedgerEntry | undefined> {
  return await trx
    .selectFrom('ledger')
    .selectAll()
    .where('account_id', '=', trx.accountId)
    .where('kind', '=', 'charge')
    .where('status', '=', 'settled')
    .where('amount_cents', '>', 0)
    .orderBy(sql`case when transaction_id = ${topUp} then 1 else 0 end`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Marks a charge as failed: none of it is refunded, and its file shows no charge (spec 2.2, `total`). */
async function failCharge(trx: AccountTrx, charge: LedgerEntry, now: number): Promise<void> {
  const { id, file_id: reference, currency } = charge
  await trx.updateTable('ledger').set({ status: 'failed' }).where('id', '=', id).execute()
  const refunds = trx.selectFrom('ledger').selectAll().where('file_id', '=', reference).where('kind', '=', 'refund')
  for (const refund of await refunds.where('status', '!=', 'failed').execute()) {
    if (refund.status === 'settled' && refund.via !== 'balance') continue // it has gone back to the card
    await cancelParts(trx, refund.transaction_id, reference, now)
    await trx.updateTable('ledger').set({ status: 'failed' }).where('id', '=', refund.id).execute()
  }
  const amountCents = await paidStill(trx, reference)
  const books = { from: 'orders', to: 'balance' } as const
  if (amountCents > 0) await move(trx, { cause: 'order-failed', reference, ...books, amountCents, currency }, now)
  const file = await fileById(trx, reference)
  if (file === undefined) return
  const told = file.given_up === 1 ? { delay_reason: givenUpUnpaid } : {}
  await patchFile(trx, file, { total_cents: 0, refund_cents: 0, ...told }, now)
}

/** What the customer has paid for a file and not been refunded, by the movements. */
async function paidStill(trx: AccountTrx, fileId: string): Promise<number> {
  const { cents } = await trx
    .selectFrom('movements')
    .select(
      sql<number>`coalesce(sum(case when target = 'orders' then amount_cents when source = 'orders' then -amount_cents
        else 0 end), 0)`.as('cents'),
    )
    .where('reference', '=', fileId)
    .executeTakeFirstOrThrow()
  return cents
}

/** Fails due top-ups of late-failing test cards. @returns how many failed */
export async function failLateCharges(platform: Platform): Promise<number> {
  const due = await platform.db
    .selectFrom('top_ups')
    .select('transaction_id')
    .where('reversed_cents', '=', 0)
    .where('transaction_id', '>=', lateTransactionPrefix)
    .where('transaction_id', '<', `${lateTransactionPrefix}~`)
    .where('created_at', '<=', platform.clock() - failsLateAfterMs)
    .orderBy('id')
    .execute()
  for (const { transaction_id } of due) await reverseTopUp(platform, transaction_id)
  return due.length
}
