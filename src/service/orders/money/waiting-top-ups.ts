import { paymentPageHeader } from '../../../contract/interface/headers.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { Account, WaitingTopUp } from '../../platform/db/schema.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import type { ChargeState, ChargeWish } from '../../platform/payment-provider.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { enterTopUp } from './top-ups.ts'
import { voidCharge } from './void-charge.ts'

/*
 * Top-ups that the bank asks the cardholder about (decision 136). The order that needed one is refused with the address of
 * the bank's page; the top-up waits for an hour. Once it is confirmed it is in the balance, and the order, sent again, is
 * paid from there. What became of it is read from the payment provider: when the person returns, when the provider tells,
 * when another order needs money, and every minute.
 */

/** Then a top-up that nobody has confirmed is given up. */
const waitsForMs = 60 * 60_000

/** Refuses an order whose top-up the cardholder has to confirm first. */
export class AskedError extends ServiceError {}

function asked({ amount_cents, currency, url }: WaitingTopUp): AskedError {
  const words = `Your bank asks you to confirm the payment of ${centsToDecimal(amount_cents)} ${currency}: ${url} Nothing was charged yet; confirm, and order again.`
  return new AskedError(402, words, { [paymentPageHeader]: url })
}

/**
 * Keeps a top-up that waits for the cardholder, in place of the intent of its order.
 * @returns what refuses the order
 */
export async function keepWaiting(platform: Platform, topUp: WaitingTopUp): Promise<AskedError> {
  const { db, changes } = platform
  await writeAccount(db, topUp.account_id, async (trx) => {
    await trx.insertInto('waiting_top_ups').values(topUp).execute()
    await trx.deleteFrom('charge_intents').where('idempotency_key', '=', topUp.idempotency_key).execute()
    await appendEvent(trx, 'payment-waits', { url: topUp.url }, topUp.created_at)
  })
  changes.notify({ kind: 'account', accountId: topUp.account_id })
  return asked(topUp)
}

const wishOf = (row: WaitingTopUp): ChargeWish => ({
  idempotencyKey: row.idempotency_key,
  account: row.account_id,
  amountCents: row.amount_cents,
  currency: row.currency,
})

const waiting = ({ db }: Pick<Platform, 'db'>) =>
  db.selectFrom('waiting_top_ups').selectAll().where('is_void', '=', 0).orderBy('created_at')

/**
 * Looks at what the account already has waiting, before its card is asked for more.
 * @returns whether one was paid meanwhile, so that the balance may suffice now
 * @throws AskedError if one that suffices still waits
 */
export async function settleWaiting(platform: Platform, account: Account, topUpCents: number): Promise<boolean> {
  let isPaid = false
  for (const row of await waiting(platform).where('account_id', '=', account.id).execute()) {
    const state = await settle(platform, account, row, platform.ending)
    if (state.state === 'paid') isPaid = true
    if (state.state !== 'waits') continue
    if (row.amount_cents >= topUpCents && row.currency === account.currency) throw asked(row)
    await giveUp(platform, account, row, platform.ending)
  }
  return isPaid
}

/** Reads what became of a top-up, and enters it if it was paid. */
async function settle(
  platform: Platform,
  { environment }: Pick<Account, 'environment'>,
  row: WaitingTopUp,
  signal: AbortSignal,
): Promise<ChargeState> {
  const { db, payment, clock, changes } = platform
  const state = await payment[environment].readCharge(wishOf(row), signal)
  if (state.state === 'waits') return state
  await writeAccount(db, row.account_id, async (trx) => {
    const own = trx.deleteFrom('waiting_top_ups').where('id', '=', row.id).where('is_void', '=', 0)
    if ((await own.executeTakeFirst()).numDeletedRows === 0n) return // another process was faster
    if (state.state === 'paid') {
      const { idempotencyKey, amountCents, currency } = wishOf(row)
      const paid = { transactionId: state.transactionId, idempotencyKey, amountCents, currency, card: row.card }
      await enterTopUp(trx, paid, clock())
      await appendEvent(trx, 'account', {}, clock())
    } else {
      const reason = state.declined ?? 'The payment was canceled at the bank.'
      await appendLog(trx, { action: 'payment', detail: `${row.card} declined` }, clock())
      await appendEvent(trx, 'payment-failed', { reason }, clock())
    }
  })
  changes.notify({ kind: 'account', accountId: row.account_id })
  return state
}

/** Ends a top-up for good: from here on a confirmation is refused, or what it took is given back. */
async function giveUp(
  platform: Platform,
  account: Pick<Account, 'environment'>,
  row: WaitingTopUp,
  signal: AbortSignal,
): Promise<void> {
  const { db } = platform
  const own = db.updateTable('waiting_top_ups').set({ is_void: 1 }).where('id', '=', row.id)
  if ((await own.executeTakeFirst()).numUpdatedRows === 0n) return // it was paid meanwhile, and entered
  await voidCharge(platform, account, wishOf(row), signal)
  await db.deleteFrom('waiting_top_ups').where('id', '=', row.id).execute()
}

/** What became of a top-up, when the person returns from the bank's page. @returns null if none of this id waits */
export async function confirmTopUp(
  platform: Platform,
  id: string,
): Promise<{ row: WaitingTopUp; state: ChargeState } | null> {
  const row = await waiting(platform).where('id', '=', id).executeTakeFirst()
  if (row === undefined) return null
  return { row, state: await settle(platform, await accountOf(platform, row), row, platform.ending) }
}

/** The same when the provider tells of it. @param idempotencyKey of the wish */
export async function settleTopUp(platform: Platform, idempotencyKey: string): Promise<void> {
  const row = await waiting(platform).where('idempotency_key', '=', idempotencyKey).executeTakeFirst()
  if (row !== undefined) await settle(platform, await accountOf(platform, row), row, platform.ending)
}

const accountOf = ({ db }: Platform, row: WaitingTopUp) =>
  db.selectFrom('accounts').select('environment').where('id', '=', row.account_id).executeTakeFirstOrThrow()

/** Chore: enters what was confirmed without anybody telling, and gives up what nobody confirmed within the hour. */
export async function settleWaitingTopUps(platform: Platform, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = platform
  for (const row of await db.selectFrom('waiting_top_ups').selectAll().orderBy('created_at').execute()) {
    if (signal.aborted) return
    try {
      const account = await accountOf(platform, row)
      const state = row.is_void === 1 ? null : await settle(platform, account, row, signal)
      const isOver = row.created_at <= clock() - waitsForMs
      if (state === null || (state.state === 'waits' && isOver)) await giveUp(platform, account, row, signal)
    } catch (error) {
      log.warn({ err: error }, 'a payment that waits for its cardholder could not be read; it will be tried again')
    }
  }
}
