import type { Heard } from '../../platform/payment-provider.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { reverseTopUp } from './late-failures.ts'
import { settleTopUp } from './waiting-top-ups.ts'
import { restoreTopUp } from './won-disputes.ts'

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
  const [act, words] =
    state.reversedCents > 0
      ? [reverseTopUp, 'the bank has taken a payment back']
      : [restoreTopUp, 'the bank has given a payment back that it had taken']
  if (await act(platform, transactionId)) platform.log.warn({ transaction: transactionId }, words)
}
