import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Balance } from '../../../contract/account/balance.ts'
import { hourMs } from '../../../contract/common/durations.ts'
import { type AccountClient, accountClient } from '../../testing/account-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { LocalStripe } from './payment/stripe/testing/local-stripe.ts'
import { comeBack, visitCardPage } from './payment/testing/enter-card.ts'

let stripe: LocalStripe
let service: TestService
let key: string
let client: AccountClient
beforeEach(async () => {
  stripe = await new LocalStripe(() => service.platform.clock()).listen()
  service = await startTestService({ stripe: stripe.config })
  stripe.endpoint = `${service.address}/payments/events`
  key = (await service.account({ environment: 'live' })).key
  client = accountClient(service.address, key)
})
afterEach(async () => {
  await service.close()
  await stripe.close()
})

const saveCard = async (number: string) => await comeBack(client, await visitCardPage(client, number))
const order = async () => await service.post(key, await service.tone(60), '?transcript_type=automated')
const balance = async () => (await client.read<Balance>('GET', 'balance')).balance_cents
const files = async () => (await (await service.fetch(key, 'files')).json()) as unknown[]

describe('a top-up that the bank asks the cardholder about', () => {
  /** An order that is refused with the address of the bank's page. */
  async function askedOrder(): Promise<string> {
    const answer = await order()
    const url = answer.headers.get('payment-page') ?? ''
    const { error } = (await answer.json()) as { error: string }
    expect([answer.status, error]).toEqual([402, expect.stringContaining(`confirm the payment of 20.00 USD: ${url}`)])
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/3ds\/pi_/)
    return url
  }
  /** What the person reads after the bank's page. */
  async function answerBank(url: string, verdict: 'yes' | 'no'): Promise<string> {
    const bank = await fetch(url, { method: 'POST', body: new URLSearchParams({ verdict }), redirect: 'manual' })
    const back = bank.headers.get('location') ?? ''
    expect(back).toMatch(new RegExp(`^${service.address}/payments/confirmed/[0-9a-f]{40}\\?`))
    const page = await fetch(back)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    return await page.text()
  }
  beforeEach(async () => void (await saveCard('4000002760003184')))

  test('refuses the order with that address, is asked for once, and pays the order that is sent again', async () => {
    const url = await askedOrder()
    expect(await askedOrder(), 'another order').toBe(url)
    expect([await files(), stripe.state.intents.length, await balance()]).toEqual([[], 1, 0])
    expect(await answerBank(url, 'yes')).toContain('20.00 USD are in your balance')
    expect(await balance()).toBe(2_000)
    expect((await order()).status).toBe(201)
    expect([await balance(), stripe.charges.length]).toEqual([1_990, 1])
  })

  test('is in the balance even if nobody returns, by the next order, the event or the minute', async () => {
    for (const told of ['order', 'event', 'minute'] as const) {
      await askedOrder()
      const [intent] = stripe.state.intents
      if (intent === undefined) throw new Error('nothing was asked')
      const verdict = new URLSearchParams({ verdict: 'yes' })
      await fetch(`${stripe.url.origin}/3ds/${intent.id}`, { method: 'POST', body: verdict, redirect: 'manual' })
      if (told === 'order') expect((await order()).status).toBe(201)
      if (told === 'event') {
        const both = [await stripe.tellIntent('payment_intent.succeeded', intent), await stripe.tellIntent('x', intent)]
        expect(both.map(({ status }) => status)).toEqual([200, 200])
      }
      if (told === 'minute') await service.doChores()
      expect(await balance()).toBe(told === 'order' ? 1_990 : 2_000)
      await client.ask('POST', 'balance/payout')
      await service.doChores()
      expect([await balance(), stripe.takenCents]).toEqual([0, 10])
    }
  })

  test('is given up when the bank refuses, or after an hour, and a late confirmation takes nothing', async () => {
    expect(await answerBank(await askedOrder(), 'no')).toContain('unable to authenticate')
    expect(await (await client.ask('GET', 'log')).text()).toContain(' declined')
    const url = await askedOrder()
    service.advance(hourMs)
    await service.doChores()
    expect(await answerBank(url, 'yes')).toContain('This payment has ended')
    expect([await balance(), stripe.charges]).toEqual([0, []])
    expect(await service.platform.db.selectFrom('waiting_top_ups').selectAll().execute()).toEqual([])
    expect((await fetch(`${service.address}/payments/confirmed/none`)).status).toBe(200)
  })
})

describe('an event of the payment provider', () => {
  test('of a dispute is acted on once, however often it comes, also for a deleted file', async () => {
    await saveCard('4242424242424242')
    const { id } = (await (await order()).json()) as { id: string }
    expect((await service.fetch(key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
    const [charge] = stripe.charges
    if (charge === undefined) throw new Error('no charge')
    const event = { payment_intent: charge.intent.id }
    await stripe.tell('charge.dispute.created', event)
    expect(await balance(), 'the event alone is not believed').toBe(1_990)
    stripe.state.dispute(charge.intent)
    for (let times = 0; times < 2; times += 1)
      expect((await stripe.tell('charge.dispute.created', event)).status).toBe(200)
    expect(await balance()).toBe(0)
    const reversed = service.platform.db.selectFrom('top_ups').select('reversed_cents')
    expect(await reversed.execute()).toEqual([{ reversed_cents: 2_000 }])
    const [dispute] = stripe.state.disputes
    if (dispute) dispute.status = 'won'
    for (let times = 0; times < 2; times += 1) await stripe.tell('charge.dispute.closed', event)
    expect(await balance()).toBe(2_000)
  })

  test('that is unsigned, old, of the live mode or of another account is 400 in words, and changes nothing', async () => {
    const told = async (as: Parameters<LocalStripe['tell']>[2]) => {
      const { status, body } = await stripe.tell('payment_intent.succeeded', { id: 'pi_1' }, as)
      return [status, JSON.parse(body).error]
    }
    const words = (part: string) => [400, expect.stringContaining(part)]
    expect(await told({ secret: 'whsec_of_another' })).toEqual(words('its signature is not of this endpoint'))
    expect(await told({ at: service.platform.clock() - hourMs })).toEqual(words('from the clock of this server'))
    expect(await told({ more: { livemode: true } })).toEqual(words('of the live mode'))
    expect(await told({ more: { account: 'acct_1' } })).toEqual(words('connected account'))
    for (const body of ['', '{}', '{"type":"payment_intent.succeeded"}']) {
      expect((await fetch(`${stripe.endpoint}`, { method: 'POST', body })).status).toBe(400)
    }
    expect(await told({})).toEqual([200, undefined])
  })

  test('finds nobody where test cards pay', async () => {
    const other = await startTestService()
    const answer = await fetch(`${other.address}/payments/events`, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(404)
    await other.close()
  })
})
