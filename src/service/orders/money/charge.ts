import { isDatabaseAway } from '../../platform/db/database-away.ts'
import { databaseNow, Lease, leasedUntil } from '../../platform/db/leases.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { Account } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import { mintId } from '../../platform/ids.ts'
import type { ChargeRequest, ChargeWish, PaymentProvider, SavedCard } from '../../platform/payment-provider.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { takenOver } from './idempotency.ts'
import { readSavedCard } from './payment/saved-card.ts'

/** Money taken for an order not yet written; `isFree`: none was. */
export type Charge = { idempotencyKey: string; transactionId: string; isFree?: true; card: string | null }

/** @throws ServiceError 402 if the account has no payment method; also checked before an upload is read */
export async function requirePaymentMethod(platform: Platform, account: Account): Promise<SavedCard> {
  const card = await readSavedCard(platform, account)
  if (card !== null) return card
  const settings = `${platform.config.publicUrl?.origin ?? ''}/${account.environment}/settings#payment`
  throw new ServiceError(402, `This account has no payment method. Add a card at ${settings}. Nothing was charged.`)
}

/** Charges in progress in this process. They are never orphans, even if the clock jumps past their leases. */
const underWay = new Set<string>()

/**
 * Charges an account and runs `write`, which writes the order; if either fails, the charge is voided. The intent is
 * committed before the provider is called, so that a charge interrupted by a crash is found and voided later
 * (`voidLeftCharges`). A charge of zero calls no provider.
 * @throws ServiceError 402 if there is no card or it was declined, 502 if the provider refuses or its response is
 *   inconclusive; errors of `write`
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
  const wish = { idempotencyKey, account: id, amountCents, currency }
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
    const request = { ...wish, cardToken: card.token, returnUrl: null }
    const transactionId = await charge(platform, provider, request)
    return await write({ idempotencyKey, transactionId, card: `${card.brand} ${card.last_four}` })
  } catch (error) {
    // If the database is unreachable, nobody knows whether the order exists: a chore checks once the lease expires.
    if (!isDatabaseAway(error)) await voidCharge(platform, provider, wish, platform.ending)
    throw error
  } finally {
    underWay.delete(idempotencyKey)
  }
}

/** Calls the provider. @returns the transaction. @throws ServiceError 402, 502 */
async function charge(
  { db, clock, changes, ending }: Platform,
  provider: PaymentProvider,
  request: ChargeRequest,
): Promise<string> {
  const { account } = request
  const result = await provider.charge(request, ending)
  if ('transactionId' in result && !('authenticate' in result)) return result.transactionId
  const reason = 'declined' in result ? result.declined : 'The bank asks the cardholder to confirm this payment.'
  await writeAccount(db, account, (trx) => appendEvent(trx, 'payment-failed', { reason }, clock()))
  changes.notify({ kind: 'account', accountId: account })
  throw new ServiceError(402, `${reason} Nothing was charged and the recording was not stored.`)
}

/**
 * Ends a charge's intent in the transaction that writes its order.
 * @throws ServiceError 503 if the charge was considered orphaned, and voided
 */
export async function settleIntent(trx: AccountTrx, { idempotencyKey, isFree }: Charge): Promise<void> {
  const settled = await trx
    .deleteFrom('charge_intents')
    .where('idempotency_key', '=', idempotencyKey)
    .where('is_void', '=', 0)
    .executeTakeFirst()
  if (settled.numDeletedRows === 0n && isFree !== true) throw takenOver()
}

/** Voids a charge. If the provider does not answer, the intent stays and a chore retries. */
async function voidCharge(
  { db, log }: Platform,
  provider: PaymentProvider,
  wish: ChargeWish,
  signal: AbortSignal,
): Promise<void> {
  try {
    await provider.voidCharge(wish, signal)
    await db.deleteFrom('charge_intents').where('idempotency_key', '=', wish.idempotencyKey).execute()
  } catch (error) {
    log.warn({ err: error }, 'a charge could not be voided yet; it will be retried')
  }
}

/**
 * Voids charges that never became an order, left by a crash or by a request that could not void its own. Orders in
 * progress keep theirs, however long they take.
 */
export async function voidLeftCharges(platform: Platform, signal: AbortSignal): Promise<void> {
  const intents = await platform.db
    .selectFrom('charge_intents')
    .innerJoin('accounts', 'accounts.id', 'account_id')
    .select(['idempotency_key', 'account_id', 'environment', 'amount_cents', 'charge_intents.currency'])
    .where('leased_until', '<', databaseNow)
    .execute()
  const left = intents.filter((intent) => !underWay.has(intent.idempotency_key))
  for (const { idempotency_key, account_id, environment, amount_cents, currency } of left) {
    if (signal.aborted) return
    // From here on its order can no longer be written; the provider is called outside the transaction.
    const given = await writeAccount(platform.db, account_id, (trx) => giveUpIntent(trx, idempotency_key))
    const wish = { idempotencyKey: idempotency_key, account: account_id, amountCents: amount_cents, currency }
    if (given) await voidCharge(platform, platform.payment[environment], wish, signal)
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
