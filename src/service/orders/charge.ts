import { appendEvent } from '../db/outbox.ts'
import type { Account } from '../db/schema.ts'
import { mintId } from '../ids.ts'
import type { Platform } from '../platform.ts'
import { ServiceError } from '../service-error.ts'

/** Money that was taken for an order which is not written yet. */
export type Charge = { idempotencyKey: string; transactionId: string }

/** @throws ServiceError 402 where the account has no payment method; asked before an upload is read, too */
export async function requirePaymentMethod({ db }: Pick<Platform, 'db'>, accountId: string) {
  const card = await db.selectFrom('payment_methods').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  if (card !== undefined) return card
  throw new ServiceError(402, 'This account has no payment method. Save one in the settings; nothing was charged.')
}

/**
 * Charges an account for an order. The intent is committed before the provider is asked, so that a charge that a crash
 * interrupts is found and voided at the next start (`voidLeftCharges`).
 * @throws ServiceError 402 where there is no card or it was declined, 502 where the provider's answer leaves it open
 */
export async function chargeAccount(platform: Platform, account: Account, amountCents: number): Promise<Charge> {
  const { db, payment, clock, changes } = platform
  const card = await requirePaymentMethod(platform, account.id)
  const intent = {
    idempotency_key: mintId('ch_'),
    account_id: account.id,
    amount_cents: amountCents,
    currency: account.currency,
    created_at: clock(),
  }
  await db
    .insertInto('charge_intents')
    .values({ ...intent, status: 'pending', transaction_id: null })
    .execute()
  const idempotencyKey = intent.idempotency_key
  try {
    const result = await payment.charge({
      idempotencyKey,
      account: account.id,
      cardToken: card.token,
      amountCents,
      currency: account.currency,
    })
    if ('transactionId' in result) {
      await db
        .updateTable('charge_intents')
        .set({ status: 'charged', transaction_id: result.transactionId })
        .where('idempotency_key', '=', idempotencyKey)
        .execute()
      return { idempotencyKey, transactionId: result.transactionId }
    }
    const reason = result.declined
    await db.transaction().execute((trx) => appendEvent(trx, account.id, 'payment-failed', { reason }, clock()))
    changes.notify({ kind: 'account', accountId: account.id })
    throw new ServiceError(402, `${reason} Nothing was charged and the recording was not kept.`)
  } catch (error) {
    await voidCharge(platform, idempotencyKey)
    throw error
  }
}

/** Voids a charge. Where the provider does not answer, the intent stays and housekeeping tries again. */
export async function voidCharge({ db, payment, log }: Platform, idempotencyKey: string): Promise<void> {
  try {
    await payment.voidCharge(idempotencyKey)
    await db.deleteFrom('charge_intents').where('idempotency_key', '=', idempotencyKey).execute()
  } catch (error) {
    log.warn({ err: error }, 'a charge could not be given up yet; it will be tried again')
  }
}

/**
 * Voids charges that never became an order: at the start all that a crash has left; later those older than `beforeMs`,
 * which their own request could not void.
 */
export async function voidLeftCharges(platform: Platform, beforeMs: number): Promise<void> {
  const left = await platform.db
    .selectFrom('charge_intents')
    .select('idempotency_key')
    .where('created_at', '<', beforeMs)
    .execute()
  for (const { idempotency_key } of left) await voidCharge(platform, idempotency_key)
}
