import type { Heard } from '../../platform/payment-provider.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { enterReversal } from './late-failures.ts'
import { settleTopUp } from './waiting-top-ups.ts'

/**
 * Acts on an event of the payment provider. It may come twice, late and in any order: it only says what to look at, and
 * what the provider answers when asked is what counts (decision 137).
 * @throws ServiceError 400 if it is not the provider's, 404 if there is none, 502
 */
export async function hearProvider(platform: Platform, body: Buffer, signature: string | undefined): Promise<void> {
  const { books } = platform.payment.live
  if (books === null) throw new ServiceError(404, 'There is no resource at this URL.')
  const heard = await books.hear(body, signature, platform.clock(), platform.ending)
  if (heard !== null) await actOn(platform, heard)
}

async function actOn(platform: Platform, { transactionId, idempotencyKey, state }: Heard): Promise<void> {
  await settleTopUp(platform, idempotencyKey)
  if (state.state !== 'paid') return
  const cents = await enterReversal(platform, transactionId, state.reversedCents)
  if (cents === 0) return
  const words = cents > 0 ? 'the bank has taken a payment back' : 'the bank has given a payment back that it had taken'
  platform.log.warn({ transaction: transactionId, cents }, words)
}
