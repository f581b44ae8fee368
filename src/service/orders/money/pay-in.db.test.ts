import { expect, test } from 'vitest'
import type { Balance, MovementPage, TopUpReceipt } from '../../../contract/account/balance.ts'
import { accountBasePath } from '../../../contract/interface/environment.ts'
import { defaultRates } from '../../../contract/interface/price.ts'
import { accountClient } from '../../testing/account-client.ts'
import { authorization } from '../../testing/ask-api.ts'
import { fileForm, startTestService } from '../../testing/test-service.ts'
import { LocalStripe } from './payment/stripe/testing/local-stripe.ts'
import { comeBack, visitCardPage } from './payment/testing/enter-card.ts'

// A second of sound costs ten cents.
const rates = { USD: [{ from: null, rates: { ...defaultRates, automated: 600 } }] }

async function payer(card?: string) {
  const provider = await new LocalStripe().listen()
  const service = await startTestService({ stripe: provider.config, role: 'api', rates })
  provider.endpoint = `${service.address}/payments/events`
  const { key } = await service.account({ environment: 'live' })
  const client = accountClient(service.address, key)
  await comeBack(client, await visitCardPage(client, card))
  const payIn = async (amount_cents: number, idempotency = 'first') => {
    const headers = {
      authorization: authorization(key),
      'content-type': 'application/json',
      'idempotency-key': idempotency,
    }
    const url = new URL(`${accountBasePath('live')}balance/top-ups`, service.address)
    return await fetch(url, { method: 'POST', headers, body: JSON.stringify({ amount_cents }) })
  }
  const order = async (seconds: number, headers: Record<string, string>) =>
    await service.fetch(key, 'files?transcript_type=automated', {
      method: 'POST',
      body: fileForm(await service.tone(seconds)),
      headers,
    })
  const end = async () => {
    await service.close()
    await provider.close()
  }
  return { provider, service, client, payIn, order, end }
}

test('a card pays in ahead, once for a key, within limits, with a receipt', async () => {
  const { provider, client, payIn, end } = await payer()
  expect((await (await payIn(1_234)).json()) as Balance).toMatchObject({ balance_cents: 1_234 })
  provider.faults = ['drops after taking']
  const answers = await Promise.all([payIn(1_234), payIn(1_234)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(provider.takenCents).toBe(1_234)
  expect((await payIn(1_235)).status).toBe(422)
  for (const cents of [1, 499, 1_000_001, 500.5]) expect((await payIn(cents, `${cents}`)).status).toBe(400)
  expect(provider.takenCents).toBe(1_234)
  const [{ key = '', intent = null } = {}] = provider.charges
  expect(key).toMatch(/^in_/)
  const receipt = await client.read<TopUpReceipt>('GET', `balance/top-ups/test_${intent?.id}`)
  expect(receipt).toMatchObject({ amount_cents: 1_234, reversed_cents: 0, card: 'Visa 4242' })
  expect((await client.ask('GET', 'balance/top-ups/test_pi_of_somebody')).status).toBe(404)
  await end()
})

test('a declined sum is told in words that are about no recording, and the same key may pay later', async () => {
  const { provider, client, payIn, end } = await payer('4000000000009995')
  const declined = await payIn(2_000)
  expect([declined.status, await declined.json()]).toEqual([
    402,
    { error: 'Your card has insufficient funds. Nothing was charged.' },
  ])
  await comeBack(client, await visitCardPage(client))
  expect((await payIn(2_000)).status).toBe(200)
  expect(provider.takenCents).toBe(2_000)
  await end()
})

test('what the bank asks about is paid in once it is confirmed, and a retry pays nothing more', async () => {
  const { provider, client, payIn, end } = await payer('4000002760003184')
  const asked = await payIn(2_000)
  const page = asked.headers.get('payment-page') ?? ''
  expect([asked.status, page]).toEqual([402, expect.stringMatching(/^http/)])
  await fetch(page, { method: 'POST', body: new URLSearchParams({ verdict: 'yes' }), redirect: 'manual' })
  expect((await payIn(2_000)).status).toBe(200)
  expect((await payIn(2_000)).status).toBe(200)
  expect([provider.takenCents, (await client.read<Balance>('GET', 'balance')).balance_cents]).toEqual([2_000, 2_000])
  await end()
})

test('a card pays in nothing that the page did not show, for all orders of a batch together', async () => {
  const { provider, client, payIn, order, end } = await payer()
  await payIn(500)
  const shown = (cents: number, batch = 'tray') => ({ 'max-top-up-cents': String(cents), 'order-batch': batch })
  // 3.00 of 5.00: another device was faster, and 2.00 are left.
  expect((await order(30, {})).status).toBe(201)
  const refused = await order(25, shown(0))
  expect([refused.status, refused.headers.get('order-top-up-cents'), await refused.json()]).toEqual([
    409,
    '2000',
    { error: expect.stringMatching(/card would pay in 20.00 USD, more than was shown. Nothing was charged/) },
  ])
  expect([provider.takenCents, (await client.read<Balance>('GET', 'balance')).balance_cents]).toEqual([500, 200])
  expect((await order(25, shown(2_000))).status).toBe(201)
  expect((await order(30, {})).status).toBe(201)
  await client.read('POST', 'balance/payout')
  // The batch has had its 20.00; another may.
  expect((await order(10, shown(2_000))).status).toBe(409)
  expect((await order(10, shown(2_000, 'other'))).status).toBe(201)
  expect((await order(10, { 'max-top-up-cents': 'all' })).status).toBe(400)
  await end()
})

test('what the bank takes back is told with the balance, in the log and by an event, until it gives it back', async () => {
  const { provider, client, payIn, end } = await payer()
  await payIn(2_000)
  const [{ intent } = { intent: null }] = provider.charges
  if (intent === null) throw new Error('Nothing was charged.')
  const dispute = provider.state.dispute(intent, 700)
  await provider.tell('charge.dispute.created', { payment_intent: intent.id })
  const { taken_back, balance_cents } = await client.read<Balance>('GET', 'balance')
  expect([taken_back?.cents, balance_cents]).toEqual([700, 1_300])
  const log = await (await client.ask('GET', 'log')).text()
  expect(log).toContain('7.00 USD taken back by the bank')
  dispute.status = 'won'
  await provider.tell('charge.dispute.closed', { payment_intent: intent.id })
  expect((await client.read<Balance>('GET', 'balance')).taken_back).toBeUndefined()
  const { movements } = await client.read<MovementPage>('GET', 'balance/movements')
  expect(movements.map(({ cause, amount_cents }) => [cause, amount_cents])).toEqual([
    ['reversal-won', 700],
    ['reversal', -700],
    ['top-up', 2_000],
  ])
  await end()
})
