import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  cardBehaviours,
  type PaymentOverview,
  paymentOverview,
  testCards,
} from '../../../../contract/account/payment.ts'
import { hourMs } from '../../../../contract/common/durations.ts'
import { type AccountClient, accountClient } from '../../../testing/account-client.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { LocalStripe } from './stripe/testing/local-stripe.ts'
import { comeBack, visitCardPage } from './testing/enter-card.ts'

describe('the card page of a provider', () => {
  let provider: LocalStripe
  let service: TestService
  let key: string
  let client: AccountClient
  beforeEach(async () => {
    provider = await new LocalStripe().listen()
    service = await startTestService({ stripe: provider.config })
    key = (await service.account({ environment: 'live' })).key
    client = accountClient(service.address, key)
  })
  afterEach(async () => {
    await service.close()
    await provider.close()
  })

  const order = async () => await service.post(key, await service.tone(60))
  const shown = async () => (await client.read<PaymentOverview>('GET', 'payment')).payment_method
  const refusal = async (answer: Response) => [answer.status, ((await answer.json()) as { error: string }).error]

  test('saves a card whose number never reaches Parley, and charges orders to it', async () => {
    expect(await refusal(await order())).toEqual([402, expect.stringContaining('/live/settings/money#payment')])
    expect(paymentOverview.parse(await client.read('GET', 'payment'))).toEqual({
      payment_method: null,
      test_cards: false,
    })
    const back = await visitCardPage(client)
    expect(back.href).toMatch(new RegExp(`^${service.address}/live/settings\\?card=[0-9a-f]{40}$`))
    expect(await shown()).toBeNull()
    expect((await comeBack(client, back)).status).toBe(200)
    expect(await shown()).toEqual({ brand: 'Visa', last_four: '4242', exp_month: 12, exp_year: 2030 })
    expect((await order()).status).toBe(201)
    expect(provider.bodies.at(-1)).toMatch(/&payment_method=pm_\w+&/)
    expect(provider.charges).toHaveLength(1)
    const { db } = service.platform
    const rows = (await db.introspection.getTables()).map(({ name }) =>
      db
        .selectFrom(name as 'files')
        .selectAll()
        .execute(),
    )
    const stored = JSON.stringify(await Promise.all(rows))
    expect([stored, ...provider.bodies].join(), 'the database, and what was sent to Stripe').not.toMatch(
      /4242[ +]?4242/,
    )
    expect(stored, 'so the database was searched').toContain('"last_four":"4242"')
    expect(JSON.stringify([await service.platform.db.selectFrom('payment_methods').selectAll().execute()])).not.toMatch(
      /4242424242424242/,
    )
  })

  test('no test card pays for a live account, chosen or from before there was a provider', async () => {
    const chosen = await client.ask('PUT', 'payment', { test_card: 'succeeds' })
    expect(await refusal(chosen)).toEqual([409, expect.stringContaining('payment/sessions')])
    const before = await service.platform.db.selectFrom('payment_methods').select('token').execute()
    expect(before).toEqual([{ token: 'succeeds' }])
    expect((await order()).status).toBe(402)
    expect(provider.charges).toEqual([])
  })

  test('test cards still pay in the sandbox, without calling the provider', async () => {
    const sandbox = await service.account()
    const { id } = await service.order(sandbox.key, await service.tone(60), '?transcript_type=automated')
    await service.fetch(sandbox.key, `file/${id}`, { method: 'DELETE' })
    service.advance(96 * hourMs)
    await service.doChores()
    expect(provider.requests).toEqual([])
    const refunds = service.platform.db.selectFrom('ledger').select('status').where('kind', '=', 'refund')
    expect(await refunds.execute()).toEqual([{ status: 'settled' }])
    const answer = await accountClient(service.address, sandbox.key).ask('POST', 'payment/sessions')
    expect(answer.status).toBe(409)
  })

  test('returns once, within an hour, only to the account that began', async () => {
    const other = accountClient(service.address, (await service.account({ environment: 'live' })).key)
    const back = await visitCardPage(client)
    expect((await comeBack(other, back)).status).toBe(404)
    expect((await comeBack(client, back)).status).toBe(200)
    expect(await refusal(await comeBack(client, back))).toEqual([404, expect.stringContaining('Add the card again')])
    const late = await visitCardPage(client)
    service.advance(hourMs)
    expect((await comeBack(client, late)).status).toBe(404)
    const kept = () => service.platform.db.selectFrom('secrets').selectAll().where('name', 'like', '%card%').execute()
    expect(await kept()).toHaveLength(1)
    await service.doChores()
    expect(await kept(), 'a visit that is over is forgotten').toEqual([])
    const [first, second] = [await visitCardPage(client), await visitCardPage(client)]
    expect((await comeBack(client, first)).status).toBe(404)
    const both = await Promise.all([comeBack(client, second), comeBack(client, second)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(await accountClient(service.address, key).read('GET', 'payment')).toMatchObject({
      payment_method: { last_four: '4242' },
    })
  })

  test('left without a card saves none, and can be resumed', async () => {
    const { url } = await client.read<{ url: string }>('POST', 'payment/sessions')
    const [{ id, cancel_url } = { id: '', cancel_url: '' }] = [...provider.state.sessions.values()].slice(-1)
    expect(url).toContain(id)
    const back = new URL(cancel_url)
    expect(await refusal(await comeBack(client, back))).toEqual([409, expect.stringContaining('No card was entered')])
    expect(await shown()).toBeNull()
    await fetch(url, { method: 'POST', body: 'number=4242424242424242', redirect: 'manual' })
    expect((await comeBack(client, back)).status).toBe(200)
  })

  test('a card that was replaced or removed is charged by nobody any more', async () => {
    for (let cards = 0; cards < 2; cards += 1) await comeBack(client, await visitCardPage(client))
    const held = () => [...provider.state.cards.values()].map(({ customer }) => customer !== null)
    expect(held()).toEqual([false, true])
    expect((await client.ask('DELETE', 'payment')).status).toBe(204)
    expect(held()).toEqual([false, false])
  })

  test('a card that expires within a month is told once, unless the bank has renewed it', async () => {
    await comeBack(client, await visitCardPage(client, '4242424242424242', '12/26'))
    const told = async () => {
      await service.doChores()
      const rows = service.platform.db.selectFrom('events').select('data_json').where('kind', '=', 'card-expires')
      return (await rows.execute()).map(({ data_json }) => JSON.parse(data_json).reason)
    }
    expect(await told(), 'six weeks before').toEqual([])
    service.advance(15 * 24 * hourMs)
    expect(await told()).toEqual(['Visa 4242 expires at the end of 12/2026. Add another card.'])
    expect(await told()).toHaveLength(1)
    await comeBack(client, await visitCardPage(client, '4242424242424242', '12/26'))
    const [renewed] = [...provider.state.cards.values()].slice(-1)
    if (renewed) renewed.exp_year = 2031
    expect(await told()).toHaveLength(1)
    expect(await shown()).toMatchObject({ exp_month: 12, exp_year: 2031 })
  })

  test('returns to the public URL', async () => {
    const publicUrl = new URL('http://parley.example')
    const behind = await startTestService({ stripe: provider.config, publicUrl })
    const { key: its } = await behind.account({ environment: 'live' })
    expect((await visitCardPage(accountClient(behind.address, its))).origin).toBe('http://parley.example')
    await behind.close()
  })
})

test('if test cards pay, they are chosen by name, and no number is accepted', async () => {
  const service = await startTestService()
  const { key } = await service.account({ environment: 'live' })
  const client = accountClient(service.address, key)
  for (const test_card of cardBehaviours) {
    expect(await client.read('PUT', 'payment', { test_card })).toEqual(testCards[test_card])
    expect(await client.read('GET', 'payment')).toEqual({ payment_method: testCards[test_card], test_cards: true })
  }
  for (const body of [{ number: '4242424242424242', exp_month: 1, exp_year: 2030 }, { test_card: '4242' }, {}]) {
    expect((await client.ask('PUT', 'payment', body)).status).toBe(400)
  }
  expect((await client.ask('POST', 'payment/sessions')).status).toBe(409)
  await service.close()
})
