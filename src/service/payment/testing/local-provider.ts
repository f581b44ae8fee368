import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type LocalCharge = { key: string; amountCents: number }

/**
 * For tests: a payment provider on a real port. What it charges for a key is in `charges` once, however often the key
 * comes.
 */
export class LocalProvider {
  readonly charges: LocalCharge[] = []
  readonly voided = new Set<string>()
  readonly requests: string[] = []
  authorization: string | undefined
  /** how the next requests go wrong, one each; then it works */
  faults: ('slow' | 'fails' | 'drops' | 'drops after taking' | 'nonsense' | 'declines')[] = []
  /** addresses that never get an answer, as `/pay/charges` */
  silent: readonly string[] = []
  /** refuses a request with these words (422); null: takes it */
  refusal: (path: string, body: { amount_cents: number; transaction_id?: string }) => string | null = () => null
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  async listen(): Promise<URL> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return new URL(`http://shop:s3cret@127.0.0.1:${(this.#server.address() as AddressInfo).port}/pay`)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { amount_cents: number; transaction_id?: string }
    const key = String(request.headers['idempotency-key'])
    this.authorization = request.headers.authorization
    this.requests.push(`${request.url}`)
    if (this.silent.includes(`${request.url}`)) return
    const fault = this.faults.shift()
    if (fault === 'slow') return // never answers; the client gives up
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
    if (request.url === '/pay/cards') return void answer(201, { token: 'card_77' })
    if (!this.charges.some((each) => each.key === key)) this.charges.push({ key, amountCents: body.amount_cents })
    if (fault === 'drops after taking') return void request.socket.destroy()
    answer(200, { transaction_id: `pay_${key}` })
  }
}
