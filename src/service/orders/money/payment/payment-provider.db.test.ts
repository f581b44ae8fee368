import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accountClient } from '../../../testing/account-client.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { LocalStripe } from './stripe/testing/local-stripe.ts'
import { comeBack, visitCardPage } from './testing/enter-card.ts'

describe('orders through a provider', () => {
  test('that drops after taking are charged once, and voided completely if it stays down', async () => {
    const provider = await new LocalStripe().listen()
    const service = await startTestService({ stripe: provider.config })
    const { key } = await service.account({ environment: 'live' })
    const client = accountClient(service.address, key)
    await comeBack(client, await visitCardPage(client))
    // Each order tops the balance up by its price.
    await service.platform.db.updateTable('accounts').set({ top_up_cents: 1 }).execute()
    provider.faults = ['drops after taking']
    const { id } = await service.order(key, await service.tone(60))
    expect(provider.charges).toHaveLength(1)
    expect((await service.metadata(key, id)).transaction_id).toBe(`test_${provider.charges[0]?.intent.id}`)
    provider.faults = ['fails after taking']
    expect((await service.post(key, await service.tone(60))).status).toBe(502)
    expect(provider.charges).toHaveLength(2)
    expect(provider.standing.size, 'the second is voided').toBe(1)
    expect(await client.read('GET', 'ledger')).toMatchObject({ total: 1 })
    provider.faults = ['declines']
    const declined = await service.post(key, await service.tone(60))
    expect([declined.status, await declined.json()]).toEqual([
      402,
      { error: expect.stringMatching(/insufficient funds/) },
    ])
    service.loggedErrors.length = 0
    await service.close()
    await provider.close()
  })
})

describe('a refusal of a provider', () => {
  const refundCall = 'POST /v1/refunds'
  const hourMs = 60 * 60 * 1_000
  let provider: LocalStripe
  let service: TestService
  let key: string
  beforeEach(async () => {
    provider = await new LocalStripe().listen()
    service = await startTestService({ stripe: provider.config })
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
    await service.platform.db.updateTable('accounts').set({ top_up_cents: 1 }).execute()
    const answer = await service.post(key, await service.tone(6), '?transcript_type=automated')
    const { error } = (await answer.json()) as { error: string }
    expect([answer.status, error]).toEqual([
      502,
      expect.stringMatching(/rejected this: Amount must be at least \$0.50/),
    ])
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
    expect(provider.requests.filter((request) => request.startsWith('POST'))).toEqual([])
  })

  /** Paid orders, each deleted immediately. @returns the keys of their refunds */
  async function refunds(count: number): Promise<string[]> {
    const { db } = service.platform
    const { id } = await service.order(key, await service.tone(60))
    await service.fetch(key, `file/${id}`, { method: 'DELETE' })
    const rows = await db.selectFrom('ledger').selectAll().orderBy('id').execute()
    for (let copy = 1; copy < count; copy += 1) {
      for (const { id: _, transaction_id, file_id, ...row } of rows) {
        // Without `via`, as a node of an older version enters them.
        const old = { ...row, via: null, top_up_cents: null }
        const values = { ...old, transaction_id: `${transaction_id}-${copy}`, file_id: `${file_id}-${copy}` }
        await db.insertInto('ledger').values(values).execute()
      }
      const [intent] = provider.state.intents.slice(-1)
      if (intent?.charge)
        provider.state.intents.unshift({ ...intent, id: `${intent.id}-${copy}`, charge: { ...intent.charge } })
    }
    const made = await db.selectFrom('ledger').select('transaction_id').where('kind', '=', 'refund').execute()
    return made.map(({ transaction_id }) => transaction_id)
  }

  test('a hundred rejected refunds block no others, and are retried with backoff', async () => {
    const last = (await refunds(101)).at(-1) ?? ''
    provider.refusal = (call, body) => (call === refundCall && !body.includes(last) ? 'Refunds are closed.' : null)
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
    expect(provider.asked(refundCall)).toBe(101)
    const asked = async (hours: number) => {
      provider.requests.length = 0
      for (let hour = 0; hour < hours; hour += 1) {
        service.advance(hourMs)
        await service.doChores()
      }
      return provider.asked(refundCall)
    }
    expect(await asked(24)).toBeLessThanOrEqual(200)
    provider.refusal = () => null
    await asked(25)
    const left = service.platform.db.selectFrom('ledger').select('id').where('status', '=', 'pending')
    expect(await left.execute()).toEqual([])
  })

  test('a refund without a response does not block shutdown', async () => {
    await refunds(2)
    provider.silent = [refundCall]
    service.advance(48 * hourMs)
    const chores = service.doChores()
    await expect.poll(() => provider.requests.at(-1)).toBe(refundCall)
    await service.restart()
    await chores
    provider.silent = []
    await service.doChores()
    const statuses = await service.platform.db.selectFrom('ledger').select('status').distinct().execute()
    expect(statuses).toEqual([{ status: 'settled' }])
  })
})
