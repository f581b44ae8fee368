import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { cardSession, paymentMethod } from '../../../../contract/account/payment.ts'
import type {
  CardPage,
  ChargeRequest,
  ChargeResult,
  ChargeState,
  ChargeWish,
  PaymentProvider,
  RefundRequest,
  SavedCard,
} from '../../../platform/payment-provider.ts'
import { ServiceError } from '../../../platform/service-error.ts'

/*
 * The provider at PAYMENT_URL, JSON both ways; a user and password in the address become Basic authentication:
 *
 *   POST cards/sessions     {account, return_url}                        → 2xx {id, url}
 *   GET  cards/sessions/ID                                               → 2xx {token, brand, last_four, exp_month, exp_year}
 *   POST charges            {account, card, amount_cents, currency}      → 2xx {transaction_id}
 *   POST refunds            {transaction_id, amount_cents, currency}     → 2xx {transaction_id}
 *   POST charges/void       {}                                           → 2xx {voided: true}
 *
 * A card is entered on the provider's page at `url`, which leads back to `return_url`, also where somebody turns back; the
 * session is 404 until it has a card. Its `token` is `card` in charges; a number never comes here.
 * What moves money has an `Idempotency-Key`: one key moves it once, however often it is sent. A void has the key of its
 * charge, and also prevents a charge that arrives later. 402 with {"error"} declines, another 4xx with {"error"} refuses;
 * customers read these words. 5xx, or no answer, leaves it open what happened, so the request is repeated with the same
 * key.
 */

const session = z.extend(cardSession, { id: z.string().check(z.minLength(1), z.maxLength(500)) })
const card = z.extend(paymentMethod, { token: z.string().check(z.minLength(1), z.maxLength(500)) })
const transaction = z.object({ transaction_id: z.string().check(z.minLength(1), z.maxLength(200)) })
const voided = z.object({ voided: z.literal(true) })
const refusal = z.object({ error: z.string().check(z.minLength(1), z.maxLength(300)) })

export type HttpPaymentTimes = {
  /** timeout of one attempt */
  timeoutMs: number
  /** backoff before the retries */
  retryAfterMs: readonly number[]
}
const httpPaymentTimes: HttpPaymentTimes = { timeoutMs: 20_000, retryAfterMs: [500, 2_000] }

type Answer = { status: number; body: unknown }

/** A real payment provider over HTTP (decision 13). Each idempotency key moves money at most once. */
export class HttpPayment implements PaymentProvider {
  readonly cardPage: CardPage = {
    open: (account, returnUrl, signal) => this.#openCardPage(account, returnUrl, signal),
    read: (sessionId, signal) => this.#readCard(sessionId, signal),
  }
  readonly #base: URL
  readonly #authorization: Record<string, string>
  readonly #times: HttpPaymentTimes

  constructor(paymentUrl: URL, times: HttpPaymentTimes = httpPaymentTimes) {
    const { username, password } = paymentUrl
    const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
    this.#authorization = username === '' && password === '' ? {} : { authorization: `Basic ${basic}` }
    this.#base = new URL(paymentUrl)
    this.#base.username = ''
    this.#base.password = ''
    if (!this.#base.pathname.endsWith('/')) this.#base.pathname += '/'
    this.#times = times
  }

  async #openCardPage(account: string, return_url: string, signal: AbortSignal): Promise<{ id: string; url: string }> {
    const { status, body } = await this.#ask('cards/sessions', { account, return_url }, signal)
    return this.#read(session, status, body)
  }

  async #readCard(sessionId: string, signal: AbortSignal): Promise<SavedCard> {
    const { status, body } = await this.#ask(`cards/sessions/${encodeURIComponent(sessionId)}`, null, signal)
    if (status === 404) throw new ServiceError(409, 'No card was entered, so none was saved.')
    return this.#read(card, status, body)
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult> {
    const { account, cardToken, amountCents: amount_cents, currency } = request
    const { status, body } = await this.#ask(
      'charges',
      { account, card: cardToken, amount_cents, currency },
      signal,
      request.idempotencyKey,
    )
    if (status === 402) return { declined: refusal.safeParse(body).data?.error ?? 'The card was declined.' }
    return { transactionId: this.#read(transaction, status, body).transaction_id }
  }

  async refund(request: RefundRequest, signal: AbortSignal): Promise<{ transactionId: string }> {
    const { transactionId: transaction_id, amountCents: amount_cents, currency } = request
    const asked = { transaction_id, amount_cents, currency }
    const { status, body } = await this.#ask('refunds', asked, signal, request.idempotencyKey)
    return { transactionId: this.#read(transaction, status, body).transaction_id }
  }

  async voidCharge({ idempotencyKey }: ChargeWish, signal: AbortSignal): Promise<void> {
    const { status, body } = await this.#ask('charges/void', {}, signal, idempotencyKey)
    this.#read(voided, status, body)
  }

  /** Its protocol has no such question; it goes with PAYMENT_URL. */
  async readCharge(): Promise<ChargeState> {
    throw new ServiceError(502, 'The payment provider does not say what became of this charge.')
  }

  #read<Shape extends z.core.$ZodType>(shape: Shape, status: number, body: unknown): z.core.output<Shape> {
    const read = status >= 200 && status < 300 ? z.safeParse(shape, body) : null
    if (read?.success === true) return read.data
    const said = status >= 400 ? refusal.safeParse(body).data?.error : undefined
    if (said !== undefined) throw new ServiceError(502, `The payment provider rejected this: ${said}`)
    throw new ServiceError(502, 'The payment provider sent an invalid response. Try again in a moment.')
  }

  /** Retries with the same key until the response is not a 5xx. @param body null: GET @throws the reason of `signal` */
  async #ask(path: string, body: object | null, signal: AbortSignal, idempotencyKey?: string): Promise<Answer> {
    let failure: unknown
    for (const pauseMs of [0, ...this.#times.retryAfterMs]) {
      try {
        if (pauseMs > 0) await sleep(pauseMs, undefined, { signal })
        const answer = await this.#send(path, body, signal, idempotencyKey)
        if (answer.status < 500) return answer
        failure = new Error(`the payment provider returned ${answer.status}`)
      } catch (error) {
        signal.throwIfAborted()
        failure = error
      }
    }
    throw new ServiceError(
      502,
      'The payment provider is not responding. Try again in a moment.',
      {},
      { cause: failure },
    )
  }

  async #send(path: string, body: object | null, signal: AbortSignal, idempotencyKey?: string): Promise<Answer> {
    const response = await fetch(new URL(path, this.#base), {
      method: body === null ? 'GET' : 'POST',
      redirect: 'error',
      headers: {
        ...this.#authorization,
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(this.#times.timeoutMs)]),
    })
    const text = await response.text()
    try {
      return { status: response.status, body: JSON.parse(text) }
    } catch {
      return { status: response.status, body: null }
    }
  }
}
