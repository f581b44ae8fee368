import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type LocalCharge = { key: string; amountCents: number }

/** For tests: a payment provider on a real port. A key's charge is in `charges` once, however often the key arrives. */
export class LocalProvider {
  readonly charges: LocalCharge[] = []
  readonly voided = new Set<string>()
  readonly requests: string[] = []
  /** their bodies, as text */
  readonly bodies: string[] = []
  /** visits to its card page by id */
  readonly sessions = new Map<string, { returnUrl: string; entered: boolean }>()
  /** overrides the response to every session of the card page */
  sessionAnswer: [number, object] | null = null
  authorization: string | undefined
  /** faults of the next requests, one each; after that it works */
  faults: ('slow' | 'fails' | 'drops' | 'drops after taking' | 'nonsense' | 'declines')[] = []
  /** paths that never get a response, such as `/pay/charges` */
  silent: readonly string[] = []
  /** refuses a request with this message (422); null: accepts it */
  refusal: (path: string, body: { amount_cents: number; transaction_id?: string }) => string | null = () => null
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  /** its address */
  get url(): URL {
    return new URL(`http://shop:s3cret@127.0.0.1:${(this.#server.address() as AddressInfo).port}/pay`)
  }

  async listen(): Promise<URL> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this.url
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** `GET` shows the page that asks for a card, `POST` submits it, and redirects back. */
  #answerPage(request: IncomingMessage, response: ServerResponse, id: string): void {
    const session = this.sessions.get(id)
    if (session === undefined) return void response.writeHead(404).end()
    if (request.method === 'POST') {
      session.entered = true
      return void response.writeHead(303, { location: session.returnUrl }).end()
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(
      `<!doctype html><html lang="en"><title>Bank of Tests</title><h1>Your card</h1>
<form method="post"><label>Card number <input name="number" autocomplete="cc-number"></label><button>Save the card</button></form>
<a href="${session.returnUrl}">Turn back</a></html>`,
    )
  }

  /** A new session of the card page, or the card of one. @returns status and body */
  #answerSession(request: IncomingMessage, body: { return_url: string }): [number, object] {
    if (this.sessionAnswer !== null) return this.sessionAnswer
    if (request.method === 'POST') {
      const id = `cs_${this.sessions.size + 1}`
      this.sessions.set(id, { returnUrl: body.return_url, entered: false })
      return [201, { id, url: `http://${request.headers.host}/pay/page/${id}` }]
    }
    const id = request.url?.split('/').at(-1) ?? ''
    if (this.sessions.get(id)?.entered !== true) return [404, { error: 'No card.' }]
    return [200, { token: `card_${id}`, brand: 'Visa', last_four: '4242', exp_month: 12, exp_year: 2030 }]
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return // the client has been killed
    }
    const page = /^\/pay\/page\/(\w+)$/.exec(`${request.url}`)?.[1]
    if (page !== undefined) return this.#answerPage(request, response, page)
    // A browser on its page requests more, such as an icon.
    if (!`${request.url}`.startsWith('/pay/')) return void response.writeHead(404).end()
    const text = Buffer.concat(chunks).toString()
    this.bodies.push(text)
    const body = text === '' ? {} : JSON.parse(text)
    const key = String(request.headers['idempotency-key'])
    this.authorization = request.headers.authorization
    this.requests.push(`${request.url}`)
    if (this.silent.includes(`${request.url}`)) return
    const fault = this.faults.shift()
    if (fault === 'slow') return // never responds; the client times out
    if (fault === 'drops') return void request.socket.destroy()
    const answer = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value))
    if (fault === 'fails') return void answer(503, { error: 'busy' })
    if (fault === 'nonsense') return void answer(200, { hello: 'world' })
    if (fault === 'declines') return void answer(402, { error: 'Insufficient funds.' })
    const refusal = this.refusal(`${request.url}`, body)
    if (refusal !== null) return void answer(422, { error: refusal })
    if (request.url === '/pay/charges/void') {
      this.voided.add(key)
      return void answer(200, { voided: true })
    }
    if (request.url?.startsWith('/pay/cards/sessions')) return void answer(...this.#answerSession(request, body))
    if (!this.charges.some((each) => each.key === key)) this.charges.push({ key, amountCents: body.amount_cents })
    if (fault === 'drops after taking') return void request.socket.destroy()
    answer(200, { transaction_id: `pay_${key}` })
  }
}
