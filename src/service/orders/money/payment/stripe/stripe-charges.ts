import type Stripe from 'stripe'
import { type ChargeState, type ChargeWish, DisputedError } from '../../../../platform/payment-provider.ts'
import { ServiceError } from '../../../../platform/service-error.ts'
import { askStripe, explainStripe, toStripeError, untilAborted } from './stripe-client.ts'

/** What finds a charge again at Stripe: our key and our account, in its metadata. */
export const wishMetadata = ({ idempotencyKey, account }: Pick<ChargeWish, 'idempotencyKey' | 'account'>) => ({
  parley_key: idempotencyKey,
  parley_account: account,
})

const unclear = () => new ServiceError(502, 'The payment provider sent an invalid response. Try again in a moment.')

/** The page of the bank, if the cardholder has to confirm; null otherwise. */
export function bankPage({ status, next_action }: Stripe.PaymentIntent): string | null {
  const url = status === 'requires_action' ? next_action?.redirect_to_url?.url : null
  return url != null && /^https?:\/\//.test(url) ? url : null
}

/**
 * All that Stripe has under a key, newest first. Stripe forgets idempotency keys after a day and finds metadata by its
 * search only after a while, so the customer's list is read, which is complete at once and needs no clock.
 */
async function findIntents(
  stripe: Stripe,
  customer: string,
  key: string,
  signal: AbortSignal,
): Promise<Stripe.PaymentIntent[]> {
  const found: Stripe.PaymentIntent[] = []
  const pages = stripe.paymentIntents.list({ customer, limit: 100, expand: ['data.latest_charge'] })
  await askStripe(signal, async () => {
    for await (const intent of pages) if (intent.metadata.parley_key === key) found.push(intent)
  })
  return found
}

const takenOf = ({ latest_charge }: Stripe.PaymentIntent) => (typeof latest_charge === 'string' ? null : latest_charge)

/** Whether a dispute has taken the money back: not if it was won, or is only an inquiry. */
export function isReversal({ status }: Stripe.Dispute): boolean {
  return status !== 'won' && status !== 'prevented' && !status.startsWith('warning')
}

/** What the bank has taken back by disputes. */
async function sumReversed(stripe: Stripe, intentId: string): Promise<number> {
  let cents = 0
  for await (const dispute of stripe.disputes.list({ payment_intent: intentId, limit: 100 })) {
    if (isReversal(dispute)) cents += dispute.amount
  }
  return cents
}

/** @param name the transaction's id in our books @throws ServiceError 502 while Stripe does not know itself */
export async function stateOf(
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
  name: (intentId: string) => string,
  signal: AbortSignal,
): Promise<ChargeState> {
  const transactionId = name(intent.id)
  const authenticate = bankPage(intent)
  if (authenticate !== null) return { state: 'waits', transactionId, authenticate }
  switch (intent.status) {
    case 'succeeded': {
      const charge = takenOf(intent)
      const reversedCents = charge?.disputed ? await askStripe(signal, () => sumReversed(stripe, intent.id)) : 0
      return { state: 'paid', transactionId, refundedCents: charge?.amount_refunded ?? 0, reversedCents }
    }
    case 'canceled':
      return { state: 'none', declined: null }
    case 'requires_payment_method':
    case 'requires_confirmation':
      return { state: 'none', declined: intent.last_payment_error?.message ?? null }
    default:
      throw unclear()
  }
}

/** What became of a wish. @throws ServiceError 502 */
export async function readWish(
  stripe: Stripe,
  customer: string,
  { idempotencyKey }: ChargeWish,
  name: (intentId: string) => string,
  signal: AbortSignal,
): Promise<ChargeState> {
  const found = await findIntents(stripe, customer, idempotencyKey, signal)
  const intent = found.find(({ status }) => status !== 'canceled') ?? found[0]
  return intent === undefined ? { state: 'none', declined: null } : await stateOf(stripe, intent, name, signal)
}

/**
 * Uses up the key of a charge, so that a request that is still on its way is refused when it comes: an unconfirmed
 * intent is made under the same key, which Stripe answers with an error if the key had a charge, and which takes nothing
 * otherwise.
 * @returns true if the key was used before, perhaps by a charge that is still under way
 */
async function useUpKey(stripe: Stripe, customer: string, wish: ChargeWish, signal: AbortSignal): Promise<boolean> {
  const { idempotencyKey, amountCents, currency } = wish
  const asked = { amount: amountCents, currency: currency.toLowerCase(), customer, metadata: wishMetadata(wish) }
  const options = { idempotencyKey }
  try {
    const made = await untilAborted(signal, () =>
      stripe.paymentIntents.create({ ...asked, allowed_payment_method_types: ['card'], confirm: false }, options),
    )
    // What is no answer of Stripe's says nothing of the key.
    if (made.metadata?.parley_key !== idempotencyKey) throw unclear()
    return false
  } catch (error) {
    const theirs = toStripeError(error)
    // An error of Stripe's own is stored under the key, too, with or without the intent: the list says which.
    const isStored = (theirs?.statusCode ?? 0) >= 500
    const isUsed = isStored || (theirs?.type === 'StripeIdempotencyError' && theirs.code !== 'idempotency_key_in_use')
    // What is refused for its sum or currency was refused as a charge, too.
    const isRefused = theirs?.type === 'StripeInvalidRequestError' && theirs.statusCode === 400
    if (!isUsed && !isRefused) throw explainStripe(error)
    return isUsed
  }
}

/** Of a refund: the money goes back. */
export const isOnItsWay = (status: string | null): boolean => /^(pending|succeeded|requires_action)$/.test(status ?? '')

/** Cancels what can still be paid, and refunds what was. */
async function undo(stripe: Stripe, intent: Stripe.PaymentIntent, key: string, signal: AbortSignal): Promise<void> {
  if (intent.status === 'canceled' || takenOf(intent)?.refunded === true) return
  if (intent.status === 'processing') throw unclear()
  if (intent.status !== 'succeeded') {
    await askStripe(signal, () => stripe.paymentIntents.cancel(intent.id))
    return
  }
  const options = { idempotencyKey: `${key}-void` }
  const refund = { payment_intent: intent.id, metadata: { parley_key: options.idempotencyKey } }
  await askStripe(signal, async () => {
    try {
      const { status } = await stripe.refunds.create(refund, options)
      if (!isOnItsWay(status)) throw unclear()
    } catch (error) {
      if (toStripeError(error)?.code !== 'charge_disputed') throw error
      throw new DisputedError(502, 'The bank has taken this payment back already.', {}, { cause: error })
    }
  })
}

/**
 * Undoes a wish, whether or not it arrived, and keeps it from arriving later.
 * @param mayRun whether a request under the key may still be under way at Stripe, if nothing of it can be seen
 * @throws ServiceError 502: repeat it
 */
export async function voidWish(
  stripe: Stripe,
  customer: string,
  wish: ChargeWish,
  mayRun: (key: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const { idempotencyKey: key } = wish
  const isUsed = await useUpKey(stripe, customer, wish, signal)
  const found = await findIntents(stripe, customer, key, signal)
  if (isUsed && found.length === 0 && mayRun(key)) throw unclear()
  for (const intent of found) await undo(stripe, intent, key, signal)
}

/** The refund of this key, if Stripe has it; one that failed at the bank does not count. */
export async function findRefund(
  stripe: Stripe,
  intentId: string,
  key: string,
  signal: AbortSignal,
): Promise<Stripe.Refund | null> {
  return await askStripe(signal, async () => {
    for await (const refund of stripe.refunds.list({ payment_intent: intentId, limit: 100 })) {
      const counts = refund.status !== 'failed' && refund.status !== 'canceled'
      if (counts && refund.metadata?.parley_key === key) return refund
    }
    return null
  })
}
