import type { Config } from '../platform/config.ts'
import { explainError } from '../platform/start-error.ts'
import type { Finding } from './doctor-findings.ts'

/** Whether Stripe takes the key, and whether its events are heard. */
export async function checkStripe({ stripe }: Pick<Config, 'stripe'>): Promise<Finding[]> {
  const check = 'stripe'
  if (stripe === null) return [{ check, ok: true, says: 'not set: test cards pay, and no money moves' }]
  const { StripePayment } = await import('../orders/money/payment/stripe/stripe-payment.ts')
  const nobody = { read: async () => null, keep: async () => undefined }
  try {
    const { books } = await StripePayment.open(stripe, nobody)
    await books.check(AbortSignal.timeout(10_000))
  } catch (error) {
    return [{ check, ok: false, says: explainError(error) }]
  }
  const mode = stripe.isTest ? 'takes the key of its test mode: nobody pays' : 'takes the key'
  if (stripe.webhookSecret !== null) return [{ check, ok: true, says: `Stripe ${mode}` }]
  return [{ check, ok: false, says: `Stripe ${mode}; without STRIPE_WEBHOOK_SECRET nobody hears of disputes` }]
}
