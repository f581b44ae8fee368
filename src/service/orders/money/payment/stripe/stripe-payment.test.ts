import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChargeRequest, PaymentProvider } from '../../../../platform/payment-provider.ts'
import { LedgerPayment } from '../ledger-payment.ts'
import { StripePayment } from './stripe-payment.ts'
import { type Fault, LocalStripe } from './testing/local-stripe.ts'

const never = new AbortController().signal
const dayMs = 24 * 60 * 60_000
const returnUrl = 'http://shop/live/settings'
const intents = 'POST /v1/payment_intents'

let now = Date.UTC(2026, 10, 16, 12)
let stripe: LocalStripe
let payment: StripePayment
let customers: Map<string, string>
beforeEach(async () => {
  now = Date.UTC(2026, 10, 16, 12)
  stripe = await new LocalStripe(() => now).listen()
  customers = new Map()
  payment = await connect()
})
afterEach(() => stripe.close())

async function connect(): Promise<StripePayment> {
  const kept = {
    read: async (account: string) => customers.get(account) ?? null,
    keep: async (account: string, customer: string) => void customers.set(account, customer),
  }
  return await StripePayment.open(stripe.config, kept)
}

/** Saves a card on the hosted page. @returns its token */
async function saveCard(number = '4242424242424242', account = 'acc_1'): Promise<string> {
  const { id, url } = await payment.cardPage.open(account, 'http://shop/back', never)
  await fetch(url, { method: 'POST', body: new URLSearchParams({ number }), redirect: 'manual' })
  return (await payment.cardPage.read(id, never)).token
}

const wish = (cardToken: string, more: Partial<ChargeRequest> = {}): ChargeRequest => ({
  idempotencyKey: 'order-1',
  account: 'acc_1',
  cardToken,
  amountCents: 2_000,
  currency: 'USD',
  returnUrl,
  ...more,
})

describe.each([
  ['test cards', async () => [new LedgerPayment(), 'succeeds', 'declines'] as const],
  ['Stripe', async () => [payment, await saveCard(), await saveCard('4000000000000341')] as const],
])('%s', (_name, open: () => Promise<readonly [PaymentProvider, string, string]>) => {
  test('charge a key once, and each refund of it once', async () => {
    const [provider, good] = await open()
    const first = await provider.charge(wish(good), never)
    expect(first).toEqual({ transactionId: expect.stringMatching(/^\w+$/) })
    expect(await provider.charge(wish(good), never)).toEqual(first)
    expect(await provider.charge(wish(good, { idempotencyKey: 'order-2' }), never)).not.toEqual(first)
    if (!('transactionId' in first)) throw new Error('no charge')
    const part = { ...wish(good), transactionId: first.transactionId, idempotencyKey: 'back-1', amountCents: 700 }
    const refund = await provider.refund(part, never)
    expect(await provider.refund(part, never)).toEqual(refund)
    expect(await provider.refund({ ...part, idempotencyKey: 'back-2' }, never)).not.toEqual(refund)
  })

  test('decline in words', async () => {
    const [provider, , bad] = await open()
    expect(await provider.charge(wish(bad), never)).toEqual({ declined: expect.stringMatching(/card was declined/) })
  })

  test('void a wish that was never sent', async () => {
    const [provider, good] = await open()
    await provider.voidCharge(wish(good), never)
    expect(await provider.readCharge(wish(good), never)).toMatchObject({ state: 'none' })
  })

  test('know their own cards only', async () => {
    const [provider, good] = await open()
    expect([provider.pays(good), provider.pays('card_of_another'), provider.pays('stripe:live:pm_1')]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('a charge by Stripe', () => {
  test.each<Fault>(['drops', 'drops after taking', 'busy'])(
    'whose answer is lost (%s) is sent again under its key, and taken once',
    async (fault) => {
      const card = await saveCard()
      stripe.faults = [fault]
      expect(await payment.charge(wish(card), never)).toHaveProperty('transactionId')
      expect(stripe.asked(intents)).toBe(2)
      expect(stripe.charges).toMatchObject([{ key: 'order-1', amountCents: 2_000 }])
    },
  )

  test('of two requests at once is taken once', async () => {
    const card = await saveCard()
    const both = await Promise.all([payment.charge(wish(card), never), payment.charge(wish(card), never)])
    expect(both[0]).toEqual(both[1])
    expect(stripe.charges).toHaveLength(1)
  })

  test.each<Fault>(['fails', 'fails after taking', 'nonsense'])(
    'whose outcome is unknown (%s) is a 502, and its void leaves nothing taken',
    async (fault) => {
      const card = await saveCard()
      stripe.faults = [fault]
      await expect(payment.charge(wish(card), never)).rejects.toMatchObject({ status: 502 })
      await payment.voidCharge(wish(card), never)
      expect(stripe.takenCents).toBe(0)
      expect(await payment.readCharge(wish(card), never)).toMatchObject(
        fault === 'fails after taking' ? { state: 'paid', refundedCents: 2_000 } : { state: 'none' },
      )
    },
  )

  test('that arrives after its void takes nothing', async () => {
    const card = await saveCard()
    await payment.voidCharge(wish(card), never)
    await expect(payment.charge(wish(card), never)).rejects.toMatchObject({ status: 502 })
    expect(stripe.charges).toEqual([])
  })

  test('is voided though Stripe fails on the way there, and stores that under the key', async () => {
    const card = await saveCard()
    stripe.faults = ['fails after taking']
    await payment.voidCharge(wish(card), never)
    expect(stripe.state.intents.map(({ status }) => status)).toEqual(['canceled'])
    await expect(payment.charge(wish(card), never)).rejects.toMatchObject({ status: 502 })
    expect(stripe.charges).toEqual([])
  })

  test.each([true, false])(
    'is voided only by an answer of Stripe’s, not by any 200 (it was paid: %s)',
    async (isPaid) => {
      const card = await saveCard()
      if (isPaid) await payment.charge(wish(card), never)
      stripe.faults = ['nonsense']
      await expect(payment.voidCharge(wish(card), never)).rejects.toMatchObject({ status: 502 })
      await payment.voidCharge(wish(card), never)
      expect(stripe.takenCents).toBe(0)
    },
  )

  test('that is still on its way is not given up for lost: the void has to come again', async () => {
    const card = await saveCard()
    stripe.faults = ['holds']
    const charge = payment.charge(wish(card), never)
    await expect.poll(() => stripe.asked(intents)).toBe(1)
    await expect(payment.voidCharge(wish(card), never)).rejects.toMatchObject({ status: 502 })
    stripe.release()
    expect(await charge).toHaveProperty('transactionId')
    await payment.voidCharge(wish(card), never)
    expect(stripe.takenCents).toBe(0)
  })

  test('is found when Stripe has long forgotten its key, whatever the clock says, also behind other charges', async () => {
    const card = await saveCard()
    await payment.charge(wish(card), never)
    for (let n = 0; n < 101; n += 1) await payment.charge(wish(card, { idempotencyKey: `later-${n}` }), never)
    now += 30 * dayMs
    expect(await payment.readCharge(wish(card), never)).toMatchObject({ state: 'paid', refundedCents: 0 })
    await payment.voidCharge(wish(card), never)
    expect(stripe.charges[0]).toMatchObject({ key: 'order-1', refundedCents: 2_000 })
    expect(stripe.charges.filter(({ refundedCents }) => refundedCents > 0)).toHaveLength(1)
  })

  test('asks the cardholder at the bank, and is paid, refused or given up there', async () => {
    const card = await saveCard('4000002760003184')
    const ask = async (idempotencyKey: string) => {
      const result = await payment.charge(wish(card, { idempotencyKey }), never)
      if (!('authenticate' in result)) throw new Error('nobody was asked')
      return result.authenticate
    }
    const answer = async (url: string, verdict: string) => {
      const back = await fetch(url, { method: 'POST', body: new URLSearchParams({ verdict }), redirect: 'manual' })
      expect(back.headers.get('location')).toMatch(/^http:\/\/shop\/live\/settings\?payment_intent=pi_/)
    }
    const read = (idempotencyKey: string) => payment.readCharge(wish(card, { idempotencyKey }), never)
    const url = await ask('yes')
    expect(await ask('yes'), 'the same wish asks once').toBe(url)
    expect(await read('yes')).toMatchObject({ state: 'waits', authenticate: url })
    await answer(url, 'yes')
    expect(await read('yes')).toMatchObject({ state: 'paid' })
    await answer(await ask('no'), 'no')
    expect(await read('no')).toEqual({ state: 'none', declined: expect.stringMatching(/unable to authenticate/) })
    const late = await ask('late')
    await payment.voidCharge(wish(card, { idempotencyKey: 'late' }), never)
    await answer(late, 'yes')
    expect(await read('late')).toEqual({ state: 'none', declined: null })
    expect(stripe.charges.map(({ key }) => key)).toEqual(['yes'])
    const unasked = await payment.charge(wish(card, { idempotencyKey: 'alone', returnUrl: null }), never)
    expect(unasked).toEqual({ declined: expect.stringMatching(/requires authentication/) })
  })

  test('below the least sum, or in a currency that Stripe lacks, is a 502 in its words', async () => {
    const card = await saveCard()
    const least = payment.charge(wish(card, { amountCents: 49 }), never)
    await expect(least).rejects.toMatchObject({ status: 502, message: expect.stringMatching(/at least \$0.50 usd/) })
    await payment.voidCharge(wish(card, { amountCents: 49 }), never)
    const lacking = payment.charge(wish(card, { currency: 'XTS' }), never)
    await expect(lacking).rejects.toMatchObject({
      status: 502,
      message: expect.stringMatching(/Invalid currency: xts/),
    })
  })

  test('of a card that was removed meanwhile is declined, whoever removed it', async () => {
    const card = await saveCard()
    await payment.cardPage.forget(card, never)
    expect(await payment.charge(wish(card), never)).toEqual({ declined: expect.stringMatching(/was removed/) })
    expect(await payment.charge(wish(card, { account: 'acc_2' }), never)).toHaveProperty('declined')
    expect(stripe.charges).toEqual([])
  })

  test('with a revoked key says whose matter it is', async () => {
    const card = await saveCard()
    stripe.isRevoked = true
    const words = {
      status: 502,
      message: expect.stringMatching(/refuses the key of this service.*nothing was charged/),
    }
    await expect(payment.charge(wish(card), never)).rejects.toMatchObject(words)
    await expect(payment.books.check(never)).rejects.toMatchObject(words)
    await expect(payment.cardPage.open('acc_1', 'http://shop/', never)).rejects.toMatchObject(words)
  })

  test('that gets no answer is not waited for on shutdown', async () => {
    const card = await saveCard()
    const ending = new AbortController()
    stripe.silent = [intents]
    const charge = payment.charge(wish(card), ending.signal)
    await expect.poll(() => stripe.asked(intents)).toBe(1)
    ending.abort(new Error('ends'))
    await expect(charge).rejects.toThrow('ends')
  })
})

describe('a refund by Stripe', () => {
  async function paid() {
    const charge = await payment.charge(wish(await saveCard()), never)
    if (!('transactionId' in charge)) throw new Error('no charge')
    const { transactionId } = charge
    return { idempotencyKey: 'back-1', account: 'acc_1', transactionId, amountCents: 500, currency: 'USD' }
  }

  test('whose answer was lost is found a month later, and not paid twice', async () => {
    const refund = await paid()
    stripe.faults = ['fails after taking']
    await expect(payment.refund(refund, never)).rejects.toMatchObject({ status: 502 })
    now += 30 * dayMs
    expect(await payment.refund(refund, never)).toHaveProperty('transactionId')
    expect(stripe.state.refunds).toHaveLength(1)
    expect(stripe.takenCents).toBe(1_500)
  })

  test('that the bank sent back is paid again under the same wish', async () => {
    const refund = await paid()
    await payment.refund(refund, never)
    const [made] = stripe.state.refunds
    if (made) made.status = 'failed'
    now += 2 * dayMs
    await payment.refund(refund, never)
    expect(stripe.state.refunds.map(({ status }) => status)).toEqual(['succeeded', 'failed'])
  })

  test('of a disputed charge, or of one of the live mode, is a 502 in words', async () => {
    const refund = await paid()
    const [charge] = stripe.charges
    if (charge) stripe.state.dispute(charge.intent)
    await expect(payment.refund(refund, never)).rejects.toThrow(/charged back/)
    const live = payment.refund({ ...refund, transactionId: 'pi_live' }, never)
    await expect(live).rejects.toThrow(/another mode/)
  })
})

test('a card shows its brand, digits and date, has one customer, and an unfinished visit has none', async () => {
  const { id, url } = await payment.cardPage.open('acc_1', 'http://shop/back', never)
  await expect(payment.cardPage.read(id, never)).rejects.toMatchObject({ status: 409 })
  const body = new URLSearchParams({ number: '4242 4242 4242 4242', expires: '03/29' })
  const back = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  expect(back.headers.get('location')).toBe('http://shop/back')
  const card = await payment.cardPage.read(id, never)
  expect(card).toMatchObject({ brand: 'Visa', last_four: '4242', exp_month: 3, exp_year: 2029 })
  await saveCard()
  expect(stripe.state.customers.size).toBe(1)
  stripe.state.customers.clear() // in Stripe's dashboard
  await saveCard()
  expect(customers.get('acc_1')).toBe([...stripe.state.customers][0])
  expect(await payment.cardPage.refresh(card.token, never)).toEqual(card)
})
