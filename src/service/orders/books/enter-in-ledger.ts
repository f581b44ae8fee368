import type { Insertable } from 'kysely'
import type { RefundReason } from '../../../contract/account/usage.ts'
import { addBusinessDays } from '../../../contract/common/business-days.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { Database, FileRow, LedgerEntry } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import { mintId } from '../../platform/ids.ts'
import { sendToCards } from './card-refunds.ts'
import { move } from './move.ts'

/**
 * The amount paid for a file: 0 if the charge failed later, less what the bank took back of it, since a refund must never
 * exceed the payment.
 */
export async function paidCents(trx: AccountTrx, file: Pick<FileRow, 'id'>): Promise<number> {
  const { sum } = await trx
    .selectFrom('ledger')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amount_cents'), eb.lit(0)).as('sum'))
    .where('file_id', '=', file.id)
    .where((eb) => eb.or([eb('kind', '=', 'charge'), eb('via', '=', 'bank')]))
    .where('status', '!=', 'failed')
    .executeTakeFirstOrThrow()
  return Number(sum)
}

type Entry = Pick<
  Insertable<Database['ledger']>,
  | 'kind'
  | 'transaction_id'
  | 'amount_cents'
  | 'due_at'
  | 'status'
  | 'card'
  | 'key_id'
  | 'top_up_cents'
  | 'progress_percent'
  | 'reason'
  | 'discount_cents'
> & { via: 'balance' | 'card' }

/** Enters a charge or a refund of a file in its account's ledger. */
async function enterInLedger(
  trx: AccountTrx,
  { id: file_id, name: file_name, account_id, duration_ms, currency, options_json, project_id }: FileRow,
  entry: Entry,
  now: number,
): Promise<void> {
  const { transcript_type } = JSON.parse(options_json)
  const ofFile = { file_id, file_name, account_id, duration_ms, currency, transcript_type, project_id }
  await trx
    .insertInto('ledger')
    .values({ ...ofFile, ...entry, created_at: now })
    .execute()
}

/** Enters the charge of an order, which the balance pays. @throws if the balance does not cover it */
export async function enterCharge(
  trx: AccountTrx,
  file: FileRow,
  money: Pick<Entry, 'card' | 'key_id' | 'top_up_cents'>,
  now: number,
): Promise<void> {
  const { id: reference, transaction_id, total_cents: amountCents, discount_cents, currency } = file
  const entry = { transaction_id, amount_cents: amountCents, discount_cents, via: 'balance' as const, ...money }
  await enterInLedger(trx, file, { kind: 'charge', status: 'settled', due_at: now, ...entry }, now)
  if (amountCents === 0) return
  await move(trx, { cause: 'order', reference, from: 'balance', to: 'orders', amountCents, currency }, now)
}

/**
 * Enters a refund: to the balance at once if the account has chosen so, or back to the card, due the next business day
 * (spec 8, decision 10).
 */
export async function enterRefund(
  trx: AccountTrx,
  file: FileRow,
  cents: number,
  reason: RefundReason,
  now: number,
): Promise<void> {
  const { progress_percent, id: reference, currency } = file
  const charge = trx.selectFrom('ledger').select('card').where('file_id', '=', file.id).where('kind', '=', 'charge')
  const { card = null } = (await charge.executeTakeFirst()) ?? {}
  const account = trx.selectFrom('accounts').select('refunds_to').where('id', '=', trx.accountId)
  const { refunds_to } = await account.executeTakeFirstOrThrow()
  const transaction_id = mintId('ref_')
  const back = { key: transaction_id, refund: transaction_id, amountCents: cents, currency }
  const dueAt = addBusinessDays(now, 1)
  const toCard = refunds_to === 'card' ? await sendToCards(trx, { ...back, dueAt }, now) : 0
  const toBalance = cents - toCard
  const state =
    toCard > 0
      ? ({ via: 'card', status: 'pending', due_at: dueAt } as const)
      : ({ via: 'balance', status: 'settled', due_at: now } as const)
  const money = { card: toCard > 0 ? card : null, transaction_id, amount_cents: -cents, progress_percent, reason }
  await enterInLedger(trx, file, { kind: 'refund', ...state, ...money }, now)
  const books = { reference, from: 'orders', currency } as const
  if (toCard > 0) await move(trx, { cause: 'refund', to: 'refunds', amountCents: toCard, ...books }, now)
  if (toBalance === 0) return
  await move(trx, { cause: 'refund-to-balance', to: 'balance', amountCents: toBalance, ...books }, now)
  await appendEvent(trx, 'account', {}, now)
}

/** How ids begin of what the bank has taken back of a charge. */
export const bankRefundPrefix = 'bank_'

/** Enters that the bank has given a part of a charge back to its card. */
export async function enterBankRefund(trx: AccountTrx, charge: LedgerEntry, cents: number, now: number): Promise<void> {
  const { id: _, key_id: _key, top_up_cents: _topUp, next_try_at: _next, ...of } = charge
  const entry = { kind: 'refund', status: 'settled', via: 'bank', due_at: now, created_at: now } as const
  await trx
    .insertInto('ledger')
    .values({ ...of, ...entry, transaction_id: mintId(bankRefundPrefix), amount_cents: -cents, card: null })
    .execute()
}
