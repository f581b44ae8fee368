import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Usage } from '../../../contract/account/usage.ts'
import { type AccountClient, accountClient } from '../../testing/account-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { readBook } from '../books/move.ts'
import { LocalStripe } from './payment/stripe/testing/local-stripe.ts'
import { comeBack, visitCardPage } from './payment/testing/enter-card.ts'
import { reconcileDay } from './reconcile.ts'

let stripe: LocalStripe
let service: TestService
beforeAll(async () => {
  stripe = await new LocalStripe(() => service?.platform.clock() ?? 0).listen()
  service = await startTestService({ stripe: stripe.config, role: 'api' })
  stripe.endpoint = `${service.address}/payments/events`
})
afterAll(async () => {
  await service.close()
  await stripe.close()
})

/** An account that has ordered ten minutes of typing, 12.50 of the 20.00 that its card paid in. */
async function orderOnce() {
  const { id: accountId, key } = await service.account({ environment: 'live' })
  const client = accountClient(service.address, key)
  await comeBack(client, await visitCardPage(client))
  const { id } = await service.order(key, await service.tone(600), '?transcript_type=manual')
  const intent = stripe.charges.at(-1)?.intent
  if (intent === undefined) throw new Error('no charge')
  const tell = async () => {
    const { status } = await stripe.tell('charge.dispute.created', { payment_intent: intent.id })
    expect(status).toBe(200)
  }
  return { accountId, key, client, id, intent, tell }
}

async function sums(client: AccountClient, account: string) {
  const { balance_cents } = await client.read<{ balance_cents: number }>('GET', 'balance')
  const { charged_cents, refunded_cents } = await client.read<Usage>('GET', 'usage')
  const orders = await readBook(service.platform.db, { id: account, currency: 'USD' }, 'orders')
  expect(orders, 'the ledger is the book of orders').toBe(charged_cents - refunded_cents)
  return { balance: balance_cents, orders }
}

test('a partial dispute takes what is disputed, first out of the balance and then of the order, and no more', async () => {
  const { accountId, key, client, id, intent, tell } = await orderOnce()
  stripe.state.dispute(intent, 300)
  await tell()
  expect(await sums(client, accountId)).toEqual({ balance: 450, orders: 1_250 })
  const second = stripe.state.dispute(intent, 900)
  for (let times = 0; times < 2; times += 1) await tell()
  expect(await sums(client, accountId)).toEqual({ balance: 0, orders: 800 })
  expect(await service.metadata(key, id)).toMatchObject({ cost: '12.50', total: 8, refund_amount: '0.00' })
  second.status = 'won'
  await tell()
  expect(await sums(client, accountId)).toEqual({ balance: 900, orders: 800 })
  second.status = 'lost'
  await tell()
  expect(await sums(client, accountId)).toEqual({ balance: 0, orders: 800 })
  expect((await service.fetch(key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
  expect(await sums(client, accountId), 'only what was paid is refunded').toEqual({ balance: 800, orders: 0 })
})

test('a second dispute of the rest has the order count as unpaid, and nothing is unexplained', async () => {
  const { accountId, key, client, id, intent, tell } = await orderOnce()
  stripe.state.dispute(intent, 1_000)
  await tell()
  expect(await sums(client, accountId)).toEqual({ balance: 0, orders: 1_000 })
  stripe.state.dispute(intent, 1_000)
  await tell()
  expect(await sums(client, accountId)).toEqual({ balance: 0, orders: 0 })
  expect(await service.metadata(key, id)).toMatchObject({ total: 0, refund_amount: '0.00' })
  const { books } = service.platform.payment.live
  const day = new Date(service.platform.clock()).toISOString().slice(0, 10)
  const never = new AbortController().signal
  expect(books && (await reconcileDay(service.platform, books, day, false, never))).toMatchObject({
    unexplained_cents: 0,
  })
})

test('what had gone back to the card before stays refunded, and only the rest counts as unpaid', async () => {
  const { accountId, key, client, id, intent, tell } = await orderOnce()
  await service.platform.db.updateTable('files').set({ progress_percent: 40 }).where('id', '=', id).execute()
  expect((await service.fetch(key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
  service.advance(4 * 86_400_000)
  await service.doChores()
  expect(await sums(client, accountId)).toEqual({ balance: 750, orders: 500 })
  stripe.state.dispute(intent, 2_000)
  await tell()
  expect(await sums(client, accountId)).toEqual({ balance: 0, orders: 0 })
  expect(await readBook(service.platform.db, { id: accountId, currency: 'USD' }, 'loss')).toBe(0)
})

test('a charge that was disputed before it could be voided is entered, as far as the bank leaves it', async () => {
  const { id: accountId, key } = await service.account({ environment: 'live' })
  const client = accountClient(service.address, key)
  await comeBack(client, await visitCardPage(client, '4000000000000259'))
  stripe.faults = ['fails after taking', 'busy', 'busy', 'busy']
  expect((await service.post(key, await service.tone(600), '?transcript_type=manual')).status).toBe(502)
  stripe.faults = []
  const { db } = service.platform
  await db.updateTable('charge_intents').set({ leased_until: 0 }).execute()
  for (const one of stripe.state.disputes.slice(0, 1)) one.amount = 500
  await service.doChores()
  expect(await db.selectFrom('charge_intents').selectAll().execute()).toEqual([])
  expect(await sums(client, accountId)).toEqual({ balance: 1_500, orders: 0 })
})
