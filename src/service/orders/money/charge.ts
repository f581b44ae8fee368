import { isDatabaseAway } from '../../platform/db/database-away.ts'
import { databaseNow, Lease, leasedUntil } from '../../platform/db/leases.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { Account } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import { mintId } from '../../platform/ids.ts'
import type { ChargeRequest, PaymentProvider, SavedCard } from '../../platform/payment-provider.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { takenOver } from './idempotency.ts'
import { savedCardOf } from './payment/saved-card.ts'

/** Money that was taken for an order which is not written yet; `isFree`: nothing was. */
export type Charge = { idempotencyKey: string; transactionId: string; isFree?: true; card: string | null }

/** @throws ServiceError 402 if the account has no payment method; asked before an upload is read, too */
export async function requirePaymentMethod(platform: Platform, account: Account): Promise<SavedCard> {
  const card = await savedCardOf(platform, account)
  if (card !== null) return card
  const settings = `${platform.config.publicUrl?.origin ?? ''}/${account.environment}/settings#payment`
  throw new ServiceError(402, `This account has no payment method. Add a card at ${settings}. Nothing was charged.`)
}

/** Charges of this process. Its own are never left over, even where the clock leaps past their leases. */
const underWay = new Set<string>()

/**
 * Charges an account for an order and runs `write`, which writes the order; where either fails, the charge is voided.
 * The intent is committed before the provider is asked, so that a charge that a crash interrupts is found and voided
 * later (`voidLeftCharges`). A charge of nothing asks nobody.
 * @throws ServiceError 402 if there is no card or it was declined, 502 if the provider refuses or its answer
 * leaves it open; what `write` throws
 */
export async function withCharge<Result>(
  platform: Platform,
  account: Account,
  amountCents: number,
  write: (charge: Charge) => Promise<Result>,
): Promise<Result> {
  const card = await requirePaymentMethod(platform, account)
  const idempotencyKey = mintId('ch_')
  if (amountCents === 0) return write({ idempotencyKey, transactionId: mintId('free_'), isFree: true, card: null })
  const { id, currency } = account
  const provider = platform.payment[account.environment]
  const intent = { account_id: id, amount_cents: amountCents, currency, created_at: platform.clock() }
  const { db, node } = platform
  underWay.add(idempotencyKey)
  using _lease = new Lease(async () => {
    const ours = db.updateTable('charge_intents').where('idempotency_key', '=', idempotencyKey)
    return (await ours.set({ leased_until: leasedUntil }).executeTakeFirst()).numUpdatedRows > 0n
  })
  try {
    await db
      .insertInto('charge_intents')
      .values({ idempotency_key: idempotencyKey, ...intent, node, leased_until: leasedUntil })
      .execute()
    const request = { idempotencyKey, account: id, cardToken: card.token, amountCents, currency }
    const transactionId = await charge(platform, provider, request)
    return await write({ idempotencyKey, transactionId, card: `${card.brand} ${card.last_four}` })
  } catch (error) {
    // Where the database has gone away nobody knows whether the order is there: a chore looks, once the lease has ended.
    if (!isDatabaseAway(error)) await voidCharge(platform, provider, idempotencyKey, platform.ending)
    throw error
  } finally {
    underWay.delete(idempotencyKey)
  }
}

/** Asks the provider. @returns the transaction. @throws ServiceError 402, 502 */
async function charge(
  { db, clock, changes, ending }: Platform,
  provider: PaymentProvider,
  request: ChargeRequest,
): Promise<string> {
  const { account } = request
  const result = await provider.charge(request, ending)
  if ('transactionId' in result) return result.transactionId
  const reason = result.declined
  await writeAccount(db, account, (trx) => appendEvent(trx, 'payment-failed', { reason }, clock()))
  changes.notify({ kind: 'account', accountId: account })
  throw new ServiceError(402, `${reason} Nothing was charged and the recording was not stored.`)
}

/**
 * Ends a charge's intent in the transaction that writes its order.
 * @throws ServiceError 503 if the charge was taken for left over, and voided
 */
export async function settleIntent(trx: AccountTrx, { idempotencyKey, isFree }: Charge): Promise<void> {
  const settled = await trx
    .deleteFrom('charge_intents')
    .where('idempotency_key', '=', idempotencyKey)
    .where('is_void', '=', 0)
    .executeTakeFirst()
  if (settled.numDeletedRows === 0n && isFree !== true) throw takenOver()
}

/** Voids a charge. Where the provider does not answer, the intent stays and a chore tries again. */
async function voidCharge(
  { db, log }: Platform,
  provider: PaymentProvider,
  idempotencyKey: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await provider.voidCharge(idempotencyKey, signal)
    await db.deleteFrom('charge_intents').where('idempotency_key', '=', idempotencyKey).execute()
  } catch (error) {
    log.warn({ err: error }, 'a charge could not be voided yet; it will be retried')
  }
}

/**
 * Voids charges that never became an order: what a crash has left, and what their own request could not void. Orders
 * under way keep theirs, however long they take.
 */
export async function voidLeftCharges(platform: Platform, signal: AbortSignal): Promise<void> {
  const intents = await platform.db
    .selectFrom('charge_intents')
    .innerJoin('accounts', 'accounts.id', 'account_id')
    .select(['idempotency_key', 'account_id', 'environment'])
    .where('leased_until', '<', databaseNow)
    .execute()
  const left = intents.filter((intent) => !underWay.has(intent.idempotency_key))
  for (const { idempotency_key, account_id, environment } of left) {
    if (signal.aborted) return
    // From here on its order cannot be written any more; the provider is asked outside of the transaction.
    const given = await writeAccount(platform.db, account_id, (trx) => giveUpIntent(trx, idempotency_key))
    if (given) await voidCharge(platform, platform.payment[environment], idempotency_key, signal)
  }
}

async function giveUpIntent(trx: AccountTrx, idempotencyKey: string): Promise<boolean> {
  const given = await trx
    .updateTable('charge_intents')
    .set({ is_void: 1 })
    .where('idempotency_key', '=', idempotencyKey)
    .where('leased_until', '<', databaseNow)
    .executeTakeFirst()
  return given.numUpdatedRows > 0n
}
