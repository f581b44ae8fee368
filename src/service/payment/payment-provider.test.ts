import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { cardBrand, cardProblem, passesLuhn } from '../../contract/account-payment.ts'
import { HttpPayment } from './http-payment.ts'
import { LedgerPayment, testCards } from './ledger-payment.ts'
import type { ChargeRequest } from './payment-provider.ts'

const now = Date.UTC(2026, 10, 21)
const clock = () => now
const charge: ChargeRequest = {
  idempotencyKey: 'order-1',
  account: 'acc_1',
  cardToken: 'card_1',
  amountCents: 7_327,
  currency: 'USD',
}

type Taken = { key: string; amountCents: number }

/** A provider with a till: what it takes for a key stands once in `taken`, however often the key comes. */
class LocalProvider {
  readonly taken: Taken[] = []
  readonly voided = new Set<string>()
  readonly requests: string[] = []
  authorization: string | undefined
  /** how the next requests go wrong, one each; then it works */
  faults: ('slow' | 'fails' | 'drops' | 'drops after taking' | 'nonsense' | 'declines')[] = []
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
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { amount_cents: number }
    const key = String(request.headers['idempotency-key'])
    this.authorization = request.headers.authorization
    this.requests.push(`${request.url}`)
    const fault = this.faults.shift()
    if (fault === 'slow') return // never answers; the client gives up
    if (fault === 'drops') return void request.socket.destroy()
    const answer = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value))
    if (fault === 'fails') return void answer(503, { error: 'busy' })
    if (fault === 'nonsense') return void answer(200, { hello: 'world' })
    if (fault === 'declines') return void answer(402, { error: 'Insufficient funds.' })
    if (request.url === '/pay/charges/void') {
      this.voided.add(key)
      return void answer(200, {})
    }
    if (request.url === '/pay/cards') return void answer(201, { token: 'card_77' })
    if (!this.taken.some((each) => each.key === key)) this.taken.push({ key, amountCents: body.amount_cents })
    if (fault === 'drops after taking') return void request.socket.destroy()
    answer(200, { transaction_id: `pay_${key}` })
  }
}

describe('the HTTP provider', () => {
  let provider: LocalProvider
  async function connect(timeoutMs = 5_000): Promise<HttpPayment> {
    provider = new LocalProvider()
    return new HttpPayment(await provider.listen(), clock, { timeoutMs, retryAfterMs: [1, 1] })
  }
  afterEach(() => provider.close())

  test('takes a charge, with the credentials of its address', async () => {
    const payment = await connect()
    expect(await payment.charge(charge)).toEqual({ transactionId: 'pay_order-1' })
    expect(provider.taken).toEqual([{ key: 'order-1', amountCents: 7_327 }])
    expect(provider.authorization).toBe(`Basic ${Buffer.from('shop:s3cret').toString('base64')}`)
  })

  test.each([
    ['slow', 100],
    ['fails', 5_000],
    ['drops', 5_000],
    ['drops after taking', 5_000],
  ] as const)('that %s once is asked again with the same key and takes the money once', async (fault, timeoutMs) => {
    const payment = await connect(timeoutMs)
    provider.faults = [fault]
    expect(await payment.charge(charge)).toEqual({ transactionId: 'pay_order-1' })
    expect(provider.requests).toHaveLength(2)
    expect(provider.taken).toHaveLength(1)
  })

  test('asked for the same order by two requests at once takes the money once', async () => {
    const payment = await connect()
    const both = await Promise.all([payment.charge(charge), payment.charge(charge)])
    expect(both).toEqual([{ transactionId: 'pay_order-1' }, { transactionId: 'pay_order-1' }])
    expect(provider.taken).toHaveLength(1)
  })

  test('that stays down is a 502, and a void gives up what it may have taken', async () => {
    const payment = await connect()
    provider.faults = ['drops after taking', 'fails', 'fails']
    await expect(payment.charge(charge)).rejects.toMatchObject({ status: 502 })
    await payment.voidCharge(charge.idempotencyKey)
    expect(provider.voided).toEqual(new Set(['order-1']))
  })

  test('that answers nonsense is a 502, never a charge', async () => {
    const payment = await connect()
    provider.faults = ['nonsense']
    await expect(payment.charge(charge)).rejects.toMatchObject({ status: 502 })
  })

  test('that declines gives its reason, asked once', async () => {
    const payment = await connect()
    provider.faults = ['declines']
    expect(await payment.charge(charge)).toEqual({ declined: 'Insufficient funds.' })
    expect(provider.requests).toEqual(['/pay/charges'])
  })

  test('saves a card as a token and gives a refund its own key', async () => {
    const payment = await connect()
    const saved = await payment.saveCard('acc_1', { number: '4242-4242-4242-4242', exp_month: 12, exp_year: 2030 })
    expect(saved).toEqual({ token: 'card_77', brand: 'Visa', last_four: '4242', exp_month: 12, exp_year: 2030 })
    const refund = { ...charge, idempotencyKey: 'refund-1', transactionId: 'pay_order-1' }
    expect(await payment.refund(refund)).toEqual({ transactionId: 'pay_refund-1' })
  })
})

describe('the ledger', () => {
  const ledger = new LedgerPayment(clock)

  test('knows its test cards by how they behave and keeps no number', async () => {
    for (const { number, behaviour, brand } of testCards) {
      const saved = await ledger.saveCard('acc_1', { number, exp_month: 11, exp_year: 2026 })
      expect(saved).toEqual({
        token: behaviour,
        brand,
        last_four: number.slice(-4),
        exp_month: 11,
        exp_year: 2026,
      })
    }
  })

  test('charges, declines, and gives the same transaction for the same key', async () => {
    const good = { ...charge, cardToken: 'succeeds' }
    expect(await ledger.charge(good)).toEqual(await ledger.charge(good))
    expect(await ledger.charge(good)).not.toEqual(await ledger.charge({ ...good, idempotencyKey: 'order-2' }))
    expect(await ledger.charge({ ...charge, cardToken: 'declines' })).toEqual({
      declined: 'The card was declined.',
    })
  })

  test('refuses in words a card that is wrong, expired or real', async () => {
    const card = { number: '4242424242424242', exp_month: 10, exp_year: 2026 }
    await expect(ledger.saveCard('a', card)).rejects.toMatchObject({ status: 400, message: /expired/ })
    const wrong = { ...card, number: '4242424242424241', exp_month: 12 }
    await expect(ledger.saveCard('a', wrong)).rejects.toMatchObject({ message: /wrong digit/ })
    const real = { number: '4111 1111 1111 1111', exp_month: 12, exp_year: 2026 }
    await expect(ledger.saveCard('a', real)).rejects.toMatchObject({ message: /test cards only/ })
  })
})

describe('card checks', () => {
  test('one changed digit never passes the check digit', () => {
    fc.assert(
      fc.property(fc.nat(15), fc.integer({ min: 1, max: 9 }), (place, by) => {
        const digits = [...'4242424242424242']
        digits[place] = String((Number(digits[place]) + by) % 10)
        expect(passesLuhn(digits.join(''))).toBe(false)
      }),
    )
  })

  test('a card is good to the last moment of its month', () => {
    const card = { number: '4242424242424242', exp_month: 2, exp_year: 2028 }
    expect(cardProblem(card, Date.UTC(2028, 1, 29, 23, 59, 59, 999))).toBeNull()
    expect(cardProblem(card, Date.UTC(2028, 2, 1))).toMatch(/expired/)
    expect(cardProblem({ ...card, exp_month: 13 }, now)).toMatch(/month/)
    expect(cardProblem({ ...card, number: '42' }, now)).toMatch(/12 to 19/)
  })

  test.each([
    ['4242', 'Visa'],
    ['5555', 'Mastercard'],
    ['2223', 'Mastercard'],
    ['3782', 'American Express'],
    ['6011', 'Discover'],
    ['9999', 'Card'],
  ])('%s is %s', (digits, brand) => expect(cardBrand(digits)).toBe(brand))
})
