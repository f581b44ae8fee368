import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { StripeConfig } from '../../../../../platform/payment-provider.ts'
import { type Call, execute, showIntent } from './stripe-calls.ts'
import { parseForm } from './stripe-form.ts'
import { hostedPage } from './stripe-pages.ts'
import { type Answer, type Intent, mint, refusal, StripeState } from './stripe-state.ts'

const dayMs = 24 * 60 * 60_000

/**
 * What goes wrong with the next call that moves money, one each; after that it works. `fails` is a 500 that is stored
 * under the key before anything happened, `fails after taking` one after it, `holds` waits for `release`.
 */
export type Fault =
  | 'slow'
  | 'busy'
  | 'fails'
  | 'fails after taking'
  | 'drops'
  | 'drops after taking'
  | 'nonsense'
  | 'declines'
  | 'holds'

type Stored = { request: string; answer: Answer | null; at: number }

/**
 * For tests: Stripe on a real port, as its API reference describes the calls that the service makes: form bodies, errors,
 * idempotency (a key gives the same answer for 24 hours, also a stored 500; another body under it is an error), the least
 * sum, declines, authentication, hosted pages, lists in pages, and signed events.
 */
export class LocalStripe {
  readonly state: StripeState
  /** `POST /v1/payment_intents`, in the order in which they came */
  readonly requests: string[] = []
  readonly bodies: string[] = []
  faults: Fault[] = []
  /** calls that never get an answer: beginnings of what stands in `requests` */
  silent: readonly string[] = []
  /** refuses a call with these words; null: takes it */
  refusal: (request: string, body: string) => string | null = () => null
  /** answers every call with 401, as for a key that was revoked */
  isRevoked = false
  /** where events go */
  endpoint: string | null = null
  readonly webhookSecret = `whsec_${randomBytes(12).toString('hex')}`
  readonly key = `sk_test_${randomBytes(12).toString('hex')}`
  readonly #keys = new Map<string, Stored>()
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  #held = Promise.withResolvers<void>()

  /** @param now the clock of its books and of its keys */
  constructor(now: () => number = Date.now) {
    this.state = new StripeState(now)
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`)
  }

  /** For a service in this process. */
  get config(): StripeConfig {
    return { key: this.key, webhookSecret: this.webhookSecret, isTest: true, url: this.url }
  }

  /** For a process. */
  get env(): Record<string, string> {
    const [STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_URL] = [this.key, this.webhookSecret, this.url.href]
    return { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_URL, STRIPE_TEST_MODE: '1' }
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Payments that were taken and not wholly given back, oldest first. */
  get charges(): { key: string; amountCents: number; refundedCents: number; intent: Intent }[] {
    const taken = this.state.intents.filter(({ charge }) => charge !== null).toReversed()
    return taken.map((intent) => {
      const { amount = 0, amount_refunded = 0 } = intent.charge ?? {}
      return { key: intent.metadata.parley_key ?? '', amountCents: amount, refundedCents: amount_refunded, intent }
    })
  }

  /** Charges that were not voided, in cents by the transaction's id in the service's books. */
  get standing(): Map<string, number> {
    const voided = new Set(
      this.state.refunds.flatMap(({ metadata }) => metadata.parley_key?.match(/^(.*)-void$/)?.[1] ?? []),
    )
    const kept = this.charges.filter(({ key }) => !voided.has(key))
    return new Map(kept.map(({ intent, amountCents }) => [`test_${intent.id}`, amountCents]))
  }

  /** Refunds that are no voids, in cents by the service's idempotency key: more than was asked for if one was paid twice. */
  get returned(): Map<string, number> {
    const cents = new Map<string, number>()
    for (const { metadata, amount, status } of this.state.refunds) {
      const key = metadata.parley_key ?? ''
      if (!key.endsWith('-void') && status !== 'failed') cents.set(key, (cents.get(key) ?? 0) + amount)
    }
    return cents
  }

  /** What customers have paid in all and not got back, in cents. */
  get takenCents(): number {
    return this.charges.reduce((sum, { amountCents, refundedCents }) => sum + amountCents - refundedCents, 0)
  }

  /** Lets calls go on that `holds` has kept. */
  release(): void {
    this.#held.resolve()
    this.#held = Promise.withResolvers<void>()
  }

  /** Calls of one kind. @param request as `POST /v1/refunds` */
  asked(request: string): number {
    return this.requests.filter((each) => each === request).length
  }

  /** Sends an event to the endpoint. @returns the answer's status and words */
  async tell(type: string, object: object, as: { secret?: string; at?: number; more?: object } = {}) {
    const body = JSON.stringify({
      id: mint('evt'),
      object: 'event',
      type,
      livemode: false,
      data: { object },
      ...as.more,
    })
    const at = Math.floor((as.at ?? this.state.now()) / 1_000)
    const v1 = createHmac('sha256', as.secret ?? this.webhookSecret)
      .update(`${at}.${body}`)
      .digest('hex')
    const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${v1}` }
    const answer = await fetch(this.endpoint ?? '', { method: 'POST', headers, body })
    return { status: answer.status, body: await answer.text() }
  }

  /** An event about an intent as it is now. */
  async tellIntent(type: string, intent: Intent) {
    return await this.tell(type, showIntent(intent, this.url.origin))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(`${request.url}`, 'http://x')
    const body = await text(request).catch(() => null)
    if (body === null) return // the client has been killed
    if (!pathname.startsWith('/v1/')) return this.#answerPage(request, response, pathname, body)
    const called = `${request.method} ${pathname}`
    this.requests.push(called)
    this.bodies.push(body)
    if (this.silent.some((each) => called.startsWith(each))) return
    const fields = parseForm(request.method === 'GET' ? search.slice(1) : body)
    const origin = `http://${request.headers.host}`
    const call = { method: `${request.method}`, path: pathname.slice(4), fields, origin, declines: false }
    const send = ({ status, body: value }: Answer) => {
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': mint('req') })
      response.end(JSON.stringify(value))
    }
    if (request.headers.authorization !== `Bearer ${this.key}` || this.isRevoked) {
      return send(refusal(401, 'invalid_request_error', 'Expired API Key provided: sk_test_****.'))
    }
    const refused = this.refusal(called, body)
    if (refused !== null) return send(refusal(400, 'invalid_request_error', refused))
    const answer = await this.#executeOnce(call, `${request.headers['idempotency-key'] ?? ''}`, `${called} ${body}`)
    if (answer === 'silence') return
    if (answer === 'cut') return void request.socket.destroy()
    send(answer)
  }

  /** Executes a call, at most once for its key. */
  async #executeOnce(call: Call, key: string, request: string): Promise<Answer | 'silence' | 'cut'> {
    if (call.method === 'GET') return execute(this.state, call)
    const movesMoney = call.path === 'payment_intents' || call.path === 'refunds'
    const stored = this.#keys.get(key)
    if (key !== '' && stored !== undefined && stored.at > this.state.now() - dayMs) {
      if (stored.request !== request) {
        const words = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
        return refusal(400, 'idempotency_error', words)
      }
      const words = `There is currently another in-progress request using this Idempotent Key: ${key}.`
      const code = { code: 'idempotency_key_in_use' }
      return stored.answer ?? refusal(409, 'invalid_request_error', words, code)
    }
    const fault = movesMoney ? this.faults.shift() : undefined
    return await this.#executeWith(fault, call, { request, answer: null, at: this.state.now() }, key)
  }

  async #executeWith(fault: Fault | undefined, call: Call, stored: Stored, key: string) {
    const failure = refusal(500, 'api_error', 'Something went wrong on our end.')
    if (fault === 'slow') return 'silence'
    if (fault === 'drops') return 'cut'
    if (fault === 'busy') return refusal(503, 'api_error', 'Try again.')
    if (fault === 'nonsense') return { status: 200, body: { hello: 'world' } }
    this.#keys.set(key, stored)
    if (fault === 'holds') await this.#held.promise
    const answer = fault === 'fails' ? failure : execute(this.state, { ...call, declines: fault === 'declines' })
    if (answer.unsaved) this.#keys.delete(key)
    else stored.answer = fault === 'fails after taking' ? failure : answer
    if (fault === 'drops after taking') return 'cut'
    return stored.answer ?? answer
  }

  #answerPage(request: IncomingMessage, response: ServerResponse, path: string, body: string): void {
    const page = hostedPage(this.state, path, request.method === 'POST' ? body : null)
    if (page === null) return void response.writeHead(404).end()
    if ('to' in page) return void response.writeHead(303, { location: page.to }).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page.html)
  }
}
