import type { Account } from '../../platform/db/schema.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import { type ChargeWish, DisputedError } from '../../platform/payment-provider.ts'
import type { Platform } from '../../platform/platform.ts'
import { enterReversal } from './late-failures.ts'
import { enterTopUp } from './top-ups.ts'

/**
 * Voids a charge whose order was not made. One that its bank has taken back meanwhile cannot be refunded: it is entered as
 * paid in and taken back, so that what the bank leaves or returns is the customer's.
 * @throws ServiceError 502: repeat it
 */
export async function voidCharge(
  platform: Pick<Platform, 'db' | 'clock' | 'changes' | 'payment'>,
  { environment }: Pick<Account, 'environment'>,
  wish: ChargeWish,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, payment } = platform
  try {
    await payment[environment].voidCharge(wish, signal)
  } catch (error) {
    const state = error instanceof DisputedError ? await payment[environment].readCharge(wish, signal) : null
    if (state?.state !== 'paid') throw error
    const { idempotencyKey, amountCents, currency } = wish
    const paid = { transactionId: state.transactionId, idempotencyKey, amountCents, currency, card: null }
    await writeAccount(db, wish.account, (trx) => enterTopUp(trx, paid, clock()))
    await enterReversal(platform, state.transactionId, state.reversedCents)
  }
}
