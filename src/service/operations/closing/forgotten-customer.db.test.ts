import { expect, test } from 'vitest'
import { dayMs } from '../../../contract/common/durations.ts'
import { LocalStripe } from '../../orders/money/payment/stripe/testing/local-stripe.ts'
import { comeBack, visitCardPage } from '../../orders/money/payment/testing/enter-card.ts'
import { accountClient } from '../../testing/account-client.ts'
import { startTestService } from '../../testing/test-service.ts'

test('an erased account is deleted at Stripe, too, as soon as Stripe answers', async () => {
  const stripe = await new LocalStripe().listen()
  const service = await startTestService({ stripe: stripe.config, role: 'api' })
  try {
    const { id, key } = await service.account({ environment: 'live' })
    const client = accountClient(service.address, key)
    await comeBack(client, await visitCardPage(client))
    expect(stripe.state.customers.size).toBe(1)
    expect((await client.ask('POST', 'closing', { name: 'Test' })).status).toBe(200)
    service.advance(15 * dayMs)
    stripe.refusal = (request) => (request.startsWith('DELETE') ? 'Not now.' : null)
    await service.doChores()
    const { db } = service.platform
    const customers = db.selectFrom('payment_customers').selectAll().where('account_id', '=', id)
    const erased = db.selectFrom('closings').select('erased_at').where('account_id', '=', id)
    expect([(await customers.execute()).length, await erased.execute()]).toEqual([1, [{ erased_at: null }]])
    stripe.refusal = () => null
    await service.doChores()
    expect(stripe.state.customers.size).toBe(0)
    expect([...stripe.state.cards.values()].map(({ customer }) => customer)).toEqual([null])
    expect(await customers.execute()).toEqual([])
    expect(await erased.execute()).toEqual([{ erased_at: expect.any(Number) }])
  } finally {
    await service.close()
    await stripe.close()
  }
})
