import { sql } from 'kysely'
import { fileById } from '../../platform/db/change-files.ts'
import type { LedgerEntry } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import { cancelParts } from '../books/card-refunds.ts'
import { enterBankRefund } from '../books/enter-in-ledger.ts'
import { move } from '../books/move.ts'
import { patchFile } from '../file/change-file.ts'

/** `delay_reason` of an order given up before its charge failed: there is nothing to refund. */
const givenUpUnpaid = 'The recording could not be transcribed. Its payment failed, so there is nothing to refund.'

/** What the customer has paid for a file and not been refunded, by the movements. */
const paidStill = (fileId: unknown) =>
  sql<number>`(select coalesce(sum(case when target = 'orders' then amount_cents when source = 'orders' then -amount_cents
    else 0 end), 0) from movements where reference = ${fileId})`

/** Refunds of a file that are on their way to a card. */
const underWay = (fileId: unknown) =>
  sql<number>`(select coalesce(sum(p.amount_cents), 0) from ledger r join card_refunds p on p.refund = r.transaction_id
    where r.file_id = ${fileId} and r.kind = 'refund' and p.status = 'pending')`

/**
 * The charge that counts as unpaid next: that of the order which the top-up was made for, then the newest.
 * @param tried ids of charges that were it before
 */
export async function nextUnpaid(
  trx: AccountTrx,
  topUp: string,
  tried: readonly number[],
): Promise<LedgerEntry | undefined> {
  const own = sql.ref('ledger.file_id')
  return await trx
    .selectFrom('ledger')
    .selectAll()
    .where('account_id', '=', trx.accountId)
    .where('kind', '=', 'charge')
    .where('status', '=', 'settled')
    .where('amount_cents', '>', 0)
    .where(sql<boolean>`${paidStill(own)} + ${underWay(own)} > 0`)
    .$if(tried.length > 0, (query) => query.where('id', 'not in', tried))
    .orderBy(sql`case when transaction_id = ${topUp} then 1 else 0 end`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Has an order count as unpaid. @param missing by how many cents at most; null: wholly. A second time it always is
 * wholly, as is one whose rest is less. What has gone back to the card stays refunded.
 */
export async function leaveUnpaid(
  trx: AccountTrx,
  charge: LedgerEntry,
  missing: number | null,
  now: number,
): Promise<void> {
  const { file_id: id } = charge
  const { still, isCut } = await trx
    .selectNoFrom([
      paidStill(id).as('still'),
      sql<number>`(select count(*) from movements where reference = ${id} and cause = 'order-cut')`.as('isCut'),
    ])
    .executeTakeFirstOrThrow()
  const refunds = await trx
    .selectFrom('ledger')
    .selectAll()
    .where('file_id', '=', id)
    .where('kind', '=', 'refund')
    .execute()
  const isGone = refunds.some(({ status, via }) => status === 'settled' && (via === 'card' || via === 'direct'))
  const isWhole = missing === null || isCut > 0 || still <= missing
  if (isWhole && !isGone) return await failCharge(trx, charge, refunds, now)
  const cents = isWhole ? still : Math.min(still, missing)
  if (cents > 0) await cutCharge(trx, charge, cents, isCut > 0 ? 'order-failed' : 'order-cut', now)
}

/** Marks a charge as failed: none of it is refunded, and its file shows no charge (spec 2.2, `total`). */
async function failCharge(
  trx: AccountTrx,
  { id, file_id: reference, currency }: LedgerEntry,
  refunds: readonly LedgerEntry[],
  now: number,
): Promise<void> {
  await trx.updateTable('ledger').set({ status: 'failed' }).where('id', '=', id).execute()
  for (const refund of refunds.filter(({ status }) => status !== 'failed')) {
    await cancelParts(trx, refund.transaction_id, reference, now)
    await trx.updateTable('ledger').set({ status: 'failed' }).where('id', '=', refund.id).execute()
  }
  const { still } = await trx.selectNoFrom(paidStill(reference).as('still')).executeTakeFirstOrThrow()
  const books = { from: 'orders', to: 'balance' } as const
  if (still > 0) await move(trx, { cause: 'order-failed', reference, ...books, amountCents: still, currency }, now)
  const file = await fileById(trx, reference)
  if (file === undefined) return
  const told = file.given_up === 1 ? { delay_reason: givenUpUnpaid } : {}
  await patchFile(trx, file, { total_cents: 0, refund_cents: 0, ...told }, now)
}

/** Enters a part of what an order cost as given back by the bank. */
async function cutCharge(
  trx: AccountTrx,
  charge: LedgerEntry,
  amountCents: number,
  cause: 'order-cut' | 'order-failed',
  now: number,
): Promise<void> {
  const { file_id: reference, currency } = charge
  await enterBankRefund(trx, charge, amountCents, now)
  await move(trx, { cause, reference, from: 'orders', to: 'balance', amountCents, currency }, now)
  const file = await fileById(trx, reference)
  if (file !== undefined) await patchFile(trx, file, { total_cents: Math.max(0, file.total_cents - amountCents) }, now)
}
