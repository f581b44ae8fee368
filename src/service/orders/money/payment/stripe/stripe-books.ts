import type Stripe from 'stripe'
import type { Heard, Movement, ProviderBooks } from '../../../../platform/payment-provider.ts'
import { ServiceError } from '../../../../platform/service-error.ts'
import { isReversal, stateOf } from './stripe-charges.ts'
import { askStripe, explainStripe, toStripeError, untilAborted } from './stripe-client.ts'

const idOf = (field: string | { id: string } | null | undefined): string | null =>
  field == null ? null : typeof field === 'string' ? field : field.id

/** How old an event may be when it comes, as Stripe advises: an old one may be a recording of it. */
const mostAgeSeconds = 300
/** Pages of a list have this many. */
const limit = 100

/** @param name how an id of Stripe is called in our books */
export type Books = { stripe: Stripe; isTest: boolean; webhookSecret: string | null; name: (id: string) => string }

/** Stripe's lists, and what its events are about. */
export class StripeBooks implements ProviderBooks {
  readonly #stripe: Stripe
  readonly #isTest: boolean
  readonly #secret: string | null
  readonly #name: (id: string) => string

  constructor({ stripe, isTest, webhookSecret, name }: Books) {
    this.#stripe = stripe
    this.#isTest = isTest
    this.#secret = webhookSecret
    this.#name = name
  }

  async check(signal: AbortSignal): Promise<void> {
    await askStripe(signal, () => this.#stripe.paymentIntents.list({ limit: 1 }))
  }

  async *movements(fromMs: number, toMs: number, signal: AbortSignal): AsyncGenerator<Movement> {
    const created = { gte: Math.floor(fromMs / 1_000), lt: Math.ceil(toMs / 1_000) }
    yield* this.#read(signal, this.#stripe.charges.list({ created, limit }), (charge) => {
      const { id, amount, paid, metadata } = charge
      return paid ? this.#move('charge', { id, cents: amount, metadata }, charge) : null
    })
    const refunds = this.#stripe.refunds.list({ created, limit, expand: ['data.payment_intent'] })
    yield* this.#read(signal, refunds, (refund) => {
      const { id, amount, status, metadata } = refund
      const isUndone = status === 'failed' || status === 'canceled'
      return this.#move('refund', { id, cents: -amount, metadata, isUndone }, refund)
    })
    const disputes = this.#stripe.disputes.list({ created, limit, expand: ['data.payment_intent'] })
    yield* this.#read(signal, disputes, (dispute) => {
      const { id, amount } = dispute
      return this.#move('dispute', { id, cents: -amount, metadata: {}, isUndone: !isReversal(dispute) }, dispute)
    })
  }

  /** The rows of all pages, each page awaited no longer than until `signal` is aborted. */
  async *#read<Row>(
    signal: AbortSignal,
    pages: AsyncIterable<Row>,
    toMovement: (row: Row) => Movement | null,
  ): AsyncGenerator<Movement> {
    const rows = pages[Symbol.asyncIterator]()
    for (;;) {
      const { done, value } = await askStripe(signal, () => rows.next())
      if (done) return
      const movement = toMovement(value)
      if (movement !== null) yield movement
    }
  }

  #move(
    kind: Movement['kind'],
    own: { id: string; cents: number; metadata: Stripe.Metadata | null; isUndone?: boolean },
    { payment_intent, currency, created }: Pick<Stripe.Refund, 'payment_intent' | 'currency' | 'created'>,
  ): Movement {
    const intent = typeof payment_intent === 'string' ? null : payment_intent
    const { parley_key, parley_account } = { ...intent?.metadata, ...own.metadata }
    return {
      kind,
      transactionId: this.#name(idOf(payment_intent) ?? own.id),
      id: this.#name(own.id),
      amountCents: own.cents,
      currency: currency.toUpperCase(),
      idempotencyKey: parley_key ?? null,
      account: parley_account ?? null,
      isUndone: own.isUndone === true,
      at: created * 1_000,
    }
  }

  async fees(fromMs: number, toMs: number, signal: AbortSignal): Promise<Record<string, number> | null> {
    const created = { gte: Math.floor(fromMs / 1_000), lt: Math.ceil(toMs / 1_000) }
    const cents: Record<string, number> = {}
    try {
      await untilAborted(signal, async () => {
        for await (const { currency, fee } of this.#stripe.balanceTransactions.list({ created, limit })) {
          const name = currency.toUpperCase()
          cents[name] = (cents[name] ?? 0) + fee
        }
      })
    } catch (error) {
      if (toStripeError(error)?.type === 'StripePermissionError') return null
      throw explainStripe(error)
    }
    return cents
  }

  async find(transactionId: string, signal: AbortSignal): Promise<Heard | null> {
    if (transactionId.startsWith('test_') !== this.#isTest) return null
    return await this.#readIntent(transactionId.replace(/^test_/, ''), signal)
  }

  async #readIntent(intentId: string, signal: AbortSignal): Promise<Heard | null> {
    const intent = await askStripe(signal, async () => {
      try {
        return await this.#stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] })
      } catch (error) {
        if (toStripeError(error)?.code === 'resource_missing') return null
        throw error
      }
    })
    const { parley_key: idempotencyKey, parley_account: account } = intent?.metadata ?? {}
    if (intent === null || idempotencyKey === undefined || account === undefined) return null
    const state = await stateOf(this.#stripe, intent, this.#name, signal)
    return { transactionId: this.#name(intent.id), idempotencyKey, account, state }
  }

  async hear(body: Buffer, signature: string | undefined, now: number, signal: AbortSignal): Promise<Heard | null> {
    const event = await this.#verify(body, signature, now)
    const intent = aboutIntent(event)
    return intent === null ? null : await this.#readIntent(intent, signal)
  }

  async #verify(body: Buffer, signature: string | undefined, now: number): Promise<Stripe.Event> {
    const refused = (why: string) => new ServiceError(400, `This event is not taken: ${why}`)
    if (this.#secret === null) throw refused('STRIPE_WEBHOOK_SECRET is not set.')
    if (signature === undefined) throw refused('it is not signed.')
    let event: Stripe.Event
    try {
      event = await this.#stripe.webhooks.constructEventAsync(
        body,
        signature,
        this.#secret,
        mostAgeSeconds,
        undefined,
        now,
      )
    } catch (error) {
      const isOld = error instanceof Error && error.message.includes('tolerance')
      const clock = `its time is more than ${mostAgeSeconds} seconds from the clock of this server.`
      throw refused(isOld ? clock : 'its signature is not of this endpoint.')
    }
    if (event.account != null) throw refused('it is of a connected account.')
    if (event.livemode === this.#isTest) throw refused(`it is of the ${this.#isTest ? 'live' : 'test'} mode.`)
    return event
  }
}

/** The PaymentIntent that an event is about; null if it is about none. */
function aboutIntent({ type, data: { object } }: Stripe.Event): string | null {
  if (type.startsWith('payment_intent.') && 'id' in object && typeof object.id === 'string') return object.id
  const isAbout = /^(charge|refund)\./.test(type) && 'payment_intent' in object
  return isAbout ? idOf(object.payment_intent as string | { id: string } | null) : null
}
