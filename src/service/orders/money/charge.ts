import { randomBytes } from 'node:crypto'
import { actor, appendLog } from '../../platform/db/audit-log.ts'
import { isDatabaseAway } from '../../platform/db/database-away.ts'
import { databaseNow, Lease, leasedUntil } from '../../platform/db/leases.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { Account, FileRow } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import { mintId } from '../../platform/ids.ts'
import { countDecline } from '../../platform/payment-errors.ts'
import type { ChargeWish, SavedCard } from '../../platform/payment-provider.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { enterCharge } from '../books/enter-in-ledger.ts'
import { readSavedCard } from './payment/saved-card.ts'
import { type Charge, enterPaid, requireShown, reserve, type ShownTopUp } from './top-ups.ts'
import { voidCharge } from './void-charge.ts'
import { AskedError, keepWaiting, settleWaiting } from './waiting-top-ups.ts'

/** A sum that the card pays in whatever the balance is, under a key of its own. */
type PayingIn = { cents: number; idempotencyKey: string }

/** What an order costs, and what its customer was told that the card pays in for it and those of its batch. */
type Price = { amountCents: number; payingIn?: PayingIn } & Partial<
  Pick<ShownTopUp, 'batch'> & { maxTopUpCents: number | null }
>

/** @throws ServiceError 402 if the account has no payment method; also checked before an upload is read */
export async function requirePaymentMethod(platform: Platform, account: Account): Promise<SavedCard> {
  const card = await readSavedCard(platform, account)
  if (card !== null) return card
  const settings = `${platform.config.publicUrl?.origin ?? ''}/${account.environment}/settings/money#payment`
  throw new ServiceError(402, `This account has no payment method. Add a card at ${settings}. Nothing was charged.`)
}

/** Charges in progress in this process. They are never orphans, even if the clock jumps past their leases. */
const underWay = new Set<string>()

/**
 * Pays for an order and runs `write`, which writes it; if either fails, nothing of it is left. The balance pays; where it
 * does not suffice, the card tops it up first (decision 129). What is reserved and requested is committed before the
 * payment provider is called, so that an order interrupted by a crash is found and its top-up voided later
 * (`voidLeftCharges`). An order of zero needs no money.
 * @throws ServiceError 402 if there is no card or it was declined, 409 if it would pay in more than was shown, 502 if the
 *   provider refuses or its response is inconclusive; errors of `write`
 */
export async function withCharge<Result>(
  platform: Platform,
  account: Account,
  { amountCents, payingIn, maxTopUpCents = null, batch = null }: Price,
  write: (charge: Charge) => Promise<Result>,
): Promise<Result> {
  const card = await requirePaymentMethod(platform, account)
  const idempotencyKey = payingIn?.idempotencyKey ?? mintId('ch_')
  if (amountCents === 0 && payingIn === undefined)
    return write({ idempotencyKey, transactionId: mintId('free_'), isFree: true, topUp: null })
  const wish = { idempotencyKey, account: account.id, amountCents: 0, currency: account.currency }
  const { db } = platform
  underWay.add(idempotencyKey)
  using _lease = new Lease(async () => {
    const ours = db.updateTable('charge_intents').where('idempotency_key', '=', idempotencyKey)
    return (await ours.set({ leased_until: leasedUntil }).executeTakeFirst()).numUpdatedRows > 0n
  })
  try {
    const reserved = { idempotencyKey, amountCents, topUpCents: payingIn?.cents ?? null }
    let missing = await reserve(platform, account, reserved)
    // What the cardholder has confirmed meanwhile may be enough.
    if (missing > 0 && !payingIn && (await settleWaiting(platform, account, missing))) {
      await db.deleteFrom('charge_intents').where('idempotency_key', '=', idempotencyKey).execute()
      missing = await reserve(platform, account, reserved)
    }
    if (maxTopUpCents !== null) await requireShown(platform, account, missing, { maxTopUpCents, batch })
    // From here on the provider may know of it.
    wish.amountCents = missing
    if (wish.amountCents === 0) return await write({ idempotencyKey, transactionId: mintId('bal_'), topUp: null })
    const topUp = { amountCents: wish.amountCents, card: `${card.brand} ${card.last_four}` }
    const transactionId = await charge(platform, account, wish, {
      token: card.token,
      name: topUp.card,
      left: payingIn ? '' : ' and the recording was not stored',
    })
    return await write({ idempotencyKey, transactionId, topUp })
  } catch (error) {
    // If the database is unreachable, nobody knows whether the order exists: a chore checks once the lease expires.
    if (!isDatabaseAway(error) && !(error instanceof AskedError))
      await giveUpCharge(platform, account, wish, platform.ending)
    throw error
  } finally {
    underWay.delete(idempotencyKey)
  }
}

/** Calls the provider. @returns the transaction. @throws ServiceError 402, 502 */
async function charge(
  platform: Platform,
  { environment }: Account,
  wish: ChargeWish,
  card: { token: string; name: string; left: string },
): Promise<string> {
  const { db, clock, changes, ending, payment, config } = platform
  const { account, idempotencyKey: idempotency_key, amountCents: amount_cents, currency } = wish
  const id = randomBytes(20).toString('hex')
  const origin = actor()?.origin() ?? config.publicUrl?.origin ?? null
  const returnUrl = origin && `${origin}/payments/confirmed/${id}`
  const result = await payment[environment].charge({ ...wish, cardToken: card.token, returnUrl }, ending)
  if ('authenticate' in result) {
    const of = { id, account_id: account, idempotency_key, amount_cents, currency, created_at: clock() }
    throw await keepWaiting(platform, { ...of, card: card.name, url: result.authenticate, is_void: 0 })
  }
  if ('transactionId' in result) return result.transactionId
  const reason = result.declined
  if (environment === 'live') countDecline()
  await writeAccount(db, account, async (trx) => {
    await appendLog(trx, { action: 'payment', detail: `${card.name} declined` }, clock())
    await appendEvent(trx, 'payment-failed', { reason }, clock())
  })
  changes.notify({ kind: 'account', accountId: account })
  throw new ServiceError(402, `${reason} Nothing was charged${card.left}.`)
}

/**
 * Enters what an order costs, and the top-up that was made for it, in the transaction that writes the order.
 * @throws ServiceError 503 if the order was considered orphaned, and its top-up voided
 */
export async function payOrder(trx: AccountTrx, file: FileRow, charge: Charge, now: number): Promise<void> {
  await enterPaid(trx, charge, file.currency, now)
  const { topUp } = charge
  const money = { card: topUp?.card ?? null, top_up_cents: topUp?.amountCents ?? 0, key_id: actor()?.keyId ?? null }
  await enterCharge(trx, file, money, now)
}

/**
 * Frees what an order has reserved, and voids the top-up that was requested for it. If the provider does not answer, the
 * intent stays and a chore retries.
 * @param wish its `amountCents` is that of the top-up, 0 if none was requested
 */
async function giveUpCharge(
  platform: Platform,
  account: Pick<Account, 'environment'>,
  wish: ChargeWish,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = platform
  const intent = () => db.deleteFrom('charge_intents').where('idempotency_key', '=', wish.idempotencyKey).execute()
  try {
    if (wish.amountCents > 0) await voidCharge(platform, account, wish, signal)
    await intent()
  } catch (error) {
    log.warn({ err: error }, 'a charge could not be voided yet; it will be retried')
  }
}

/**
 * Gives up payments that never became an order, left by a crash or by a request that could not void its own. Orders in
 * progress keep theirs, however long they take.
 */
export async function voidLeftCharges(platform: Platform, signal: AbortSignal): Promise<void> {
  const intents = await platform.db
    .selectFrom('charge_intents')
    .innerJoin('accounts', 'accounts.id', 'account_id')
    .select(['idempotency_key', 'account_id', 'environment', 'charge_intents.currency'])
    // Without `top_up_cents`, a node of an older version charged the card the whole price.
    .select((eb) => eb.fn.coalesce('charge_intents.top_up_cents', 'amount_cents').as('amountCents'))
    .where('leased_until', '<', databaseNow)
    .execute()
  const left = intents.filter((intent) => !underWay.has(intent.idempotency_key))
  for (const { idempotency_key: idempotencyKey, account_id: account, environment, ...money } of left) {
    if (signal.aborted) return
    // From here on its order can no longer be written; the provider is called outside the transaction.
    const given = await writeAccount(platform.db, account, (trx) => giveUpIntent(trx, idempotencyKey))
    if (given) await giveUpCharge(platform, { environment }, { idempotencyKey, account, ...money }, signal)
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
