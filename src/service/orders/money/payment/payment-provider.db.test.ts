import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChargeRequest } from '../../../platform/payment-provider.ts'
import { accountClient } from '../../../testing/account-client.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { HttpPayment } from './http-payment.ts'
import { LedgerPayment } from './ledger-payment.ts'
import { comeBack, visitCardPage } from './testing/enter-card.ts'
import { LocalProvider } from './testing/local-provider.ts'

const never = new AbortController().signal
const charge: ChargeRequest = {
  idempotencyKey: 'order-1',
  account: 'acc_1',
  cardToken: 'card_1',
  amountCents: 7_327,
  currency: 'USD',
  returnUrl: null,
}

describe('the HTTP provider', () => {
  let provider: LocalProvider
  async function connect(timeoutMs = 5_000): Promise<HttpPayment> {
    provider = new LocalProvider()
    return new HttpPayment(await provider.listen(), { timeoutMs, retryAfterMs: [1, 1] })
  }
  afterEach(() => provider.close())

  test('takes a charge, with the credentials of its address', async () => {
    const payment = await connect()
    expect(await payment.charge(charge, never)).toEqual({ transactionId: 'pay_order-1' })
    expect(provider.charges).toEqual([{ key: 'order-1', amountCents: 7_327 }])
    expect(provider.authorization).toBe(`Basic ${Buffer.from('shop:s3cret').toString('base64')}`)
  })

  test.each([
    ['slow', 100],
    ['fails', 5_000],
    ['drops', 5_000],
    ['drops after taking', 5_000],
  ] as const)('that %s once is retried with the same key and takes the money once', async (fault, timeoutMs) => {
    const payment = await connect(timeoutMs)
    provider.faults = [fault]
    expect(await payment.charge(charge, never)).toEqual({ transactionId: 'pay_order-1' })
    expect(provider.requests).toHaveLength(2)
    expect(provider.charges).toHaveLength(1)
  })

  test('called for the same order by two concurrent requests takes the money once', async () => {
    const payment = await connect()
    const both = await Promise.all([payment.charge(charge, never), payment.charge(charge, never)])
    expect(both).toEqual([{ transactionId: 'pay_order-1' }, { transactionId: 'pay_order-1' }])
    expect(provider.charges).toHaveLength(1)
  })

  test('that stays down is a 502, and a void cancels a possible charge', async () => {
    const payment = await connect()
    provider.faults = ['drops after taking', 'fails', 'fails']
    await expect(payment.charge(charge, never)).rejects.toMatchObject({ status: 502 })
    await payment.voidCharge(charge, never)
    expect(provider.voided).toEqual(new Set(['order-1']))
  })

  test('that answers nonsense is a 502, never a charge and never a void', async () => {
    const payment = await connect()
    provider.faults = ['nonsense', 'nonsense']
    await expect(payment.charge(charge, never)).rejects.toMatchObject({ status: 502 })
    await expect(payment.voidCharge(charge, never)).rejects.toMatchObject({ status: 502 })
  })

  test('that declines gives its reason, after one request', async () => {
    const payment = await connect()
    provider.faults = ['declines']
    expect(await payment.charge(charge, never)).toEqual({ declined: 'Insufficient funds.' })
    expect(provider.requests).toEqual(['/pay/charges'])
  })

  test('gives a refund its own key', async () => {
    const payment = await connect()
    const refund = { ...charge, idempotencyKey: 'refund-1', transactionId: 'pay_order-1' }
    expect(await payment.refund(refund, never)).toEqual({ transactionId: 'pay_refund-1' })
  })

  test('that returns an invalid URL or an invalid card is a 502', async () => {
    const payment = await connect()
    for (const url of ['javascript:alert(1)', '/page', '']) {
      provider.sessionAnswer = [201, { id: 'cs_1', url }]
      await expect(payment.cardPage.open('acc_1', 'http://shop/', never)).rejects.toMatchObject({ status: 502 })
    }
    const card = { token: 'card_1', brand: 'Visa', last_four: '4242', exp_month: 12, exp_year: 2030 }
    for (const wrong of [
      { last_four: '4242424242424242' },
      { exp_month: 13 },
      { token: '' },
      { brand: 'V'.repeat(41) },
    ]) {
      provider.sessionAnswer = [200, { ...card, ...wrong }]
      await expect(payment.cardPage.read('cs_1', never)).rejects.toMatchObject({ status: 502 })
    }
  })
})

describe('orders through a provider', () => {
  test('that drops after taking are charged once, and voided completely if it stays down', async () => {
    const provider = new LocalProvider()
    const service = await startTestService({ paymentUrl: await provider.listen() })
    const { key } = await service.account({ environment: 'live' })
    const client = accountClient(service.address, key)
    await comeBack(client, await visitCardPage(client))
    provider.faults = ['drops after taking']
    const { id } = await service.order(key, await service.tone(60), '?transcript_type=automated')
    expect(provider.charges).toHaveLength(1)
    expect((await service.metadata(key, id)).transaction_id).toBe(`pay_${provider.charges[0]?.key}`)
    provider.faults = ['drops after taking', 'fails', 'fails']
    expect((await service.post(key, await service.tone(60))).status).toBe(502)
    expect([...provider.voided]).toEqual([provider.charges[1]?.key])
    expect(await client.read('GET', 'ledger')).toMatchObject({ total: 1 })
    provider.faults = ['declines']
    const declined = await service.post(key, await service.tone(60))
    expect([declined.status, await declined.json()]).toEqual([
      402,
      { error: expect.stringMatching(/Insufficient funds/) },
    ])
    service.loggedErrors.length = 0
    await service.close()
    await provider.close()
  })
})

describe('a refusal of a provider', () => {
  const hourMs = 60 * 60 * 1_000
  let provider: LocalProvider
  let service: TestService
  let key: string
  beforeEach(async () => {
    provider = new LocalProvider()
    service = await startTestService({ paymentUrl: await provider.listen() })
    key = (await service.account({ environment: 'live' })).key
    const client = accountClient(service.address, key)
    await comeBack(client, await visitCardPage(client))
    provider.requests.length = 0
  })
  afterEach(async () => {
    service.loggedErrors.length = 0
    await service.close()
    await provider.close()
  })

  test('is reported in its own words, and leaves nothing of the order', async () => {
    provider.refusal = (path) => (path === '/pay/charges' ? 'Amounts below 50 cents are not taken.' : null)
    const answer = await service.post(key, await service.tone(6), '?transcript_type=automated')
    const { error } = (await answer.json()) as { error: string }
    expect([answer.status, error]).toEqual([502, expect.stringMatching(/rejected this: Amounts below 50 cents/)])
    expect(provider.voided.size).toBe(1)
    expect(await (await service.fetch(key, 'files')).json()).toEqual([])
    provider.refusal = () => 'Shops of your kind get no cards.'
    const saved = await accountClient(service.address, key).ask('POST', 'payment/sessions')
    expect([saved.status, await saved.text()]).toEqual([502, expect.stringMatching(/Shops of your kind/)])
  })

  test('a charge of zero calls no provider, whatever happens to the order', async () => {
    const { id } = await service.order(key, await service.tone(1), '?transcript_type=automated')
    const [charge] = await service.platform.db.selectFrom('ledger').selectAll().execute()
    expect(charge).toMatchObject({ file_id: id, amount_cents: 0, status: 'settled' })
    expect((await service.fetch(key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
    service.advance(96 * hourMs)
    await service.doChores()
    await service.restart()
    await service.doChores()
    expect(provider.requests).toEqual([])
  })

  /** Paid orders, each deleted immediately. @returns the transactions of their charges */
  async function refunds(count: number): Promise<string[]> {
    const { db } = service.platform
    const { id } = await service.order(key, await service.tone(60), '?transcript_type=automated')
    await service.fetch(key, `file/${id}`, { method: 'DELETE' })
    const rows = await db.selectFrom('ledger').selectAll().orderBy('id').execute()
    for (let copy = 1; copy < count; copy += 1) {
      for (const { id: _, transaction_id, file_id, ...row } of rows) {
        const values = { ...row, transaction_id: `${transaction_id}-${copy}`, file_id: `${file_id}-${copy}` }
        await db.insertInto('ledger').values(values).execute()
      }
    }
    const charges = await db.selectFrom('ledger').select('transaction_id').where('kind', '=', 'charge').execute()
    return charges.map(({ transaction_id }) => transaction_id)
  }

  test('a hundred rejected refunds block no others, and are retried with backoff', async () => {
    const charges = await refunds(101)
    provider.refusal = (path, { transaction_id }) =>
      path === '/pay/refunds' && transaction_id !== charges.at(-1) ? 'Refunds of this are closed.' : null
    service.advance(48 * hourMs)
    await service.doChores()
    service.advance(60_000)
    await service.doChores()
    const settled = await service.platform.db
      .selectFrom('ledger')
      .select('file_id')
      .where('kind', '=', 'refund')
      .where('status', '=', 'settled')
      .execute()
    expect(settled).toHaveLength(1)
    expect(provider.requests.filter((path) => path === '/pay/refunds')).toHaveLength(101)
    const asked = async (hours: number) => {
      provider.requests.length = 0
      for (let hour = 0; hour < hours; hour += 1) {
        service.advance(hourMs)
        await service.doChores()
      }
      return provider.requests.length
    }
    expect(await asked(24)).toBeLessThanOrEqual(200)
    provider.refusal = () => null
    await asked(25)
    const left = service.platform.db.selectFrom('ledger').select('id').where('status', '=', 'pending')
    expect(await left.execute()).toEqual([])
  })

  test('a refund without a response does not block shutdown', async () => {
    await refunds(2)
    provider.silent = ['/pay/refunds']
    service.advance(48 * hourMs)
    const chores = service.doChores()
    await expect.poll(() => provider.requests.at(-1)).toBe('/pay/refunds')
    await service.restart()
    await chores
    provider.silent = []
    await service.doChores()
    const statuses = await service.platform.db.selectFrom('ledger').select('status').distinct().execute()
    expect(statuses).toEqual([{ status: 'settled' }])
  })
})

describe('the ledger', () => {
  const ledger = new LedgerPayment()

  test('charges, declines, and gives the same transaction for the same key', async () => {
    const good = { ...charge, cardToken: 'succeeds' }
    expect(await ledger.charge(good)).toEqual(await ledger.charge(good))
    expect(await ledger.charge(good)).not.toEqual(await ledger.charge({ ...good, idempotencyKey: 'order-2' }))
    expect(await ledger.charge({ ...charge, cardToken: 'declines' })).toEqual({
      declined: 'The card was declined.',
    })
  })
})
