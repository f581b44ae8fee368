import type Stripe from 'stripe'
import type {
  ChargeRequest,
  ChargeResult,
  ChargeState,
  ChargeWish,
  PaymentProvider,
  RefundRequest,
  StripeConfig,
} from '../../../../platform/payment-provider.ts'
import { ServiceError } from '../../../../platform/service-error.ts'
import { StripeBooks } from './stripe-books.ts'
import { type Customers, StripeCards } from './stripe-cards.ts'
import { bankPage, findRefund, isOnItsWay, readWish, voidWish, wishMetadata } from './stripe-charges.ts'
import { askStripe, explainStripe, openStripe, toStripeError, untilAborted } from './stripe-client.ts'

/** What Stripe answers about a card that was detached from its customer: it was removed while it was charged. */
const goneCard = ['payment_method_customer_decline', 'resource_missing', 'payment_method_unexpected_state']
/** A request that reached Stripe has ended after this long, whether or not its answer came. */
const endsWithinMs = 5 * 60_000

const cardGone = 'The saved card was removed. Add a card, and order again.'

/**
 * Payment by Stripe (decision 134). A charge is a PaymentIntent under one idempotency key, with the key in its metadata;
 * whatever may have been sent before is looked up by it first, as Stripe forgets idempotency keys after a day.
 */
export class StripePayment implements PaymentProvider {
  readonly cardPage: StripeCards
  readonly books: StripeBooks
  readonly #stripe: Stripe
  readonly #customers: Customers
  readonly #isTest: boolean
  /** Keys whose charge had no outcome: until when a request under them may still be under way, by `performance.now()`. */
  readonly #open = new Map<string, number>()

  constructor(stripe: Stripe, customers: Customers, { isTest, webhookSecret }: StripeConfig) {
    this.#stripe = stripe
    this.#customers = customers
    this.#isTest = isTest
    this.cardPage = new StripeCards(stripe, customers, `stripe:${isTest ? 'test' : 'live'}:`)
    this.books = new StripeBooks({ stripe, isTest, webhookSecret, name: this.#name })
  }

  static async open(config: StripeConfig, customers: Customers): Promise<StripePayment> {
    return new StripePayment(await openStripe(config), customers, config)
  }

  pays(token: string): boolean {
    return this.cardPage.methodOf(token) !== null
  }

  /** In our books a transaction of the test mode says so, and the live mode never refunds it. */
  readonly #name = (intentId: string): string => `${this.#isTest ? 'test_' : ''}${intentId}`

  #intentOf(transactionId: string): string {
    if (transactionId.startsWith('test_') !== this.#isTest) {
      throw new ServiceError(502, "This was paid in another mode of the payment provider than this service's key has.")
    }
    return transactionId.replace(/^test_/, '')
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult> {
    const { idempotencyKey, account, amountCents, currency, cardToken } = request
    const customer = await this.#customers.read(account)
    const payment_method = this.cardPage.methodOf(cardToken)
    if (customer === null || payment_method === null) return { declined: cardGone }
    const asked = { amount: amountCents, currency: currency.toLowerCase(), customer, payment_method }
    const how = {
      allowed_payment_method_types: ['card'],
      off_session: true,
      confirm: true,
      metadata: wishMetadata(request),
    }
    try {
      const made = await untilAborted(signal, () =>
        this.#stripe.paymentIntents.create({ ...asked, ...how }, { idempotencyKey }),
      )
      return this.#toResult(made)
    } catch (error) {
      const theirs = toStripeError(error)
      const intent = theirs?.payment_intent?.id
      const asks = theirs?.code === 'authentication_required' && intent !== undefined
      if (asks && request.returnUrl !== null) {
        return await this.#askCardholder(intent, payment_method, request.returnUrl, idempotencyKey, signal)
      }
      // An answer of 500 is the end of its request, with or without a charge.
      if ((theirs?.statusCode ?? 0) >= 500) this.#open.set(idempotencyKey, 0)
      return toDecline(error)
    }
  }

  /** Whether a request may still be under way: for some minutes after it was first asked about. */
  readonly #mayRun = (key: string): boolean => {
    const now = performance.now()
    const until = this.#open.get(key) ?? now + endsWithinMs
    this.#open.set(key, until)
    return now < until
  }

  /** Confirms again with the cardholder at hand: the bank's page is where to lead them, and the charge stays the same. */
  async #askCardholder(
    intentId: string,
    payment_method: string,
    return_url: string,
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<ChargeResult> {
    try {
      const options = { idempotencyKey: `${idempotencyKey}-ask` }
      const confirmed = await untilAborted(signal, () =>
        this.#stripe.paymentIntents.confirm(intentId, { payment_method, return_url }, options),
      )
      return this.#toResult(confirmed)
    } catch (error) {
      return toDecline(error)
    }
  }

  #toResult(intent: Stripe.PaymentIntent): ChargeResult {
    const authenticate = bankPage(intent)
    if (authenticate !== null) return { authenticate, transactionId: this.#name(intent.id) }
    if (intent.status === 'succeeded') return { transactionId: this.#name(intent.id) }
    const declined = intent.last_payment_error?.message
    if (intent.status === 'requires_payment_method' && declined !== undefined) return { declined }
    throw new ServiceError(502, 'The payment provider sent an invalid response. Try again in a moment.')
  }

  async refund(request: RefundRequest, signal: AbortSignal): Promise<{ transactionId: string }> {
    const { idempotencyKey, transactionId, amountCents } = request
    const payment_intent = this.#intentOf(transactionId)
    const known = await findRefund(this.#stripe, payment_intent, idempotencyKey, signal)
    if (known !== null) return { transactionId: this.#name(known.id) }
    const asked = { payment_intent, amount: amountCents, metadata: wishMetadata(request) }
    const made = await askStripe(signal, () => this.#stripe.refunds.create(asked, { idempotencyKey }))
    if (!isOnItsWay(made.status)) {
      throw new ServiceError(502, 'The payment provider did not refund this.')
    }
    return { transactionId: this.#name(made.id) }
  }

  async voidCharge(wish: ChargeWish, signal: AbortSignal): Promise<void> {
    const customer = await this.#customers.read(wish.account)
    if (customer !== null) await voidWish(this.#stripe, customer, wish, this.#mayRun, signal)
    this.#open.delete(wish.idempotencyKey)
  }

  async readCharge(wish: ChargeWish, signal: AbortSignal): Promise<ChargeState> {
    const customer = await this.#customers.read(wish.account)
    if (customer === null) return { state: 'none', declined: null }
    return await readWish(this.#stripe, customer, wish, this.#name, signal)
  }
}

/** @throws what is not about the card */
function toDecline(error: unknown): ChargeResult {
  const theirs = toStripeError(error)
  if (theirs?.type === 'StripeCardError') return { declined: theirs.message }
  const isGone = theirs?.param === 'payment_method' || goneCard.includes(theirs?.code ?? '')
  if (theirs?.type === 'StripeInvalidRequestError' && isGone) return { declined: cardGone }
  throw explainStripe(error)
}
