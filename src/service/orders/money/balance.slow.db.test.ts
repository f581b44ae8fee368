import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Balance, MoneyBook, MovementPage } from '../../../contract/account/balance.ts'
import { forecastPayment } from '../../../contract/account/balance.ts'
import type { LedgerPage } from '../../../contract/account/usage.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import { accountClient } from '../../testing/account-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'

let kit: TestService
beforeAll(async () => {
  kit = await startTestService({ role: 'api' })
})
afterAll(() => kit.close())

/** An account whose manual orders cost $1.25 a minute. */
async function payer(settings: object = {}) {
  const account = await kit.account()
  const client = accountClient(kit.address, account.key)
  if (Object.keys(settings).length > 0) await client.read('PATCH', 'balance', settings)
  const id = (await client.read<{ id: string }>('GET', '')).id
  return {
    ...account,
    id,
    client,
    order: async (seconds: number, progress_percent = 0) =>
      (await client.read<{ id: string }>('POST', 'tools/files', { seconds, progress_percent })).id,
    remove: async (file: string) => await kit.fetch(account.key, `file/${file}`, { method: 'DELETE' }),
    balance: async () => await client.read<Balance>('GET', 'balance'),
    moved: async () => (await client.read<MovementPage>('GET', 'balance/movements')).movements,
    lines: async () => (await client.read<LedgerPage>('GET', 'ledger')).entries,
    books: async () => {
      const rows = await kit.platform.db.selectFrom('books').selectAll().where('account_id', '=', id).execute()
      expect(
        rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
        'books add up to zero',
      ).toBe(0)
      return Object.fromEntries(rows.map(({ book, amount_cents }) => [book, amount_cents])) as Record<MoneyBook, number>
    },
  }
}

test('the card pays in what the account has set, and further orders are paid from it', async () => {
  const { key, client, order, balance, moved, lines, books } = await payer()
  const first = await order(60)
  const { transaction_id } = await kit.metadata(key, first)
  expect(transaction_id).toMatch(/^tx_/)
  const second = await order(120)
  expect((await kit.metadata(key, second)).transaction_id).toMatch(/^bal_/)
  expect(await balance()).toEqual({ balance_cents: 1_625, top_up_cents: 2_000, refunds_to: 'card', due_cents: 0 })
  expect((await moved()).map(({ cause, amount_cents }) => [cause, amount_cents])).toEqual([
    ['order', -250],
    ['order', -125],
    ['top-up', 2_000],
  ])
  expect(await lines()).toMatchObject([
    { via: 'balance', top_up_cents: 0, card: null, amount_cents: 250 },
    { via: 'balance', top_up_cents: 2_000, card: 'Test card that pays 4242', amount_cents: 125 },
  ])
  await order(3_600) // $75.00: more is missing than is set
  const csv = await (await client.ask('GET', 'balance/movements.csv')).text()
  const amounts = csv
    .split('\r\n')
    .slice(1, -1)
    .map((line) => Number(line.split(',')[4]))
  expect(amounts).toEqual([-75, 60, -2.5, -1.25, 20])
  expect(await balance()).toMatchObject({ balance_cents: 125 })
  expect(await books()).toEqual({ card: -8_000, balance: 125, orders: 7_875 })
})

test('twenty orders at once top the balance up once', async () => {
  const { order, balance, moved } = await payer()
  await Promise.all(Array.from({ length: 20 }, () => order(48))) // $1.00 each
  expect(await balance()).toMatchObject({ balance_cents: 0 })
  expect((await moved()).filter(({ cause }) => cause === 'top-up')).toHaveLength(1)
})

test('a card that is declined refuses what the balance does not cover, and nothing is left of it', async () => {
  const { client, order, balance, books } = await payer()
  await order(60)
  await client.read('PUT', 'payment', { test_card: 'declines' })
  await order(60)
  const answer = await client.ask('POST', 'tools/files', { seconds: 3_600, progress_percent: 0 })
  expect([answer.status, await answer.text()]).toEqual([402, expect.stringContaining('Nothing was charged')])
  expect(await (await client.ask('GET', 'log')).text()).toContain('Test card that is declined 0002 declined')
  expect(await balance()).toMatchObject({ balance_cents: 1_750 })
  expect(await books()).toEqual({ card: -2_000, balance: 1_750, orders: 250 })
  expect(await kit.platform.db.selectFrom('charge_intents').selectAll().execute()).toEqual([])
})

test('refunds go to the balance at once if the account has chosen so, else to the card on the next business day', async () => {
  const { client, order, remove, balance, lines, books } = await payer({ refunds_to: 'balance' })
  await remove(await order(60, 40))
  expect(await balance()).toMatchObject({ balance_cents: 1_950, due_cents: 0 })
  expect((await lines())[0]).toMatchObject({ kind: 'refund', via: 'balance', status: 'settled', amount_cents: -75 })
  await client.read('PATCH', 'balance', { refunds_to: 'card' })
  await remove(await order(60, 0))
  expect(await balance()).toMatchObject({ balance_cents: 1_825, due_cents: 125 })
  expect((await lines())[0]).toMatchObject({ kind: 'refund', via: 'card', status: 'pending' })
  kit.advance(4 * dayMs)
  await kit.doChores()
  expect((await lines())[0]).toMatchObject({ kind: 'refund', via: 'card', status: 'settled' })
  expect(await books()).toEqual({ card: -1_875, balance: 1_825, orders: 50, refunds: 0 })
})

test('a refund larger than any top-up is divided, and the balance is paid back to the last cent', async () => {
  const { id, client, order, remove, balance, books } = await payer()
  await order(60)
  await remove(await order(3_600, 0)) // $75.00: the card pays in $60.00
  expect(await balance()).toMatchObject({ balance_cents: 375, due_cents: 7_500 })
  await order(60)
  expect(await client.read('POST', 'balance/payout')).toMatchObject({ balance_cents: 0, due_cents: 7_750 })
  expect((await client.ask('POST', 'balance/payout')).status).toBe(409)
  kit.advance(4 * dayMs)
  await kit.doChores()
  expect(await books()).toEqual({ card: -250, balance: 0, orders: 250, refunds: 0 })
  const parts = kit.platform.db
    .selectFrom('card_refunds')
    .select(['amount_cents', 'status'])
    .where('account_id', '=', id)
  expect((await parts.orderBy('amount_cents').execute()).map(({ amount_cents }) => amount_cents)).toEqual([
    250, 1_500, 6_000,
  ])
})

test.each([{ top_up_cents: 1 }, { top_up_cents: 100_000_000 }, { refunds_to: 'me' }, { top_up_cents: 20.5 }])(
  'settings such as %j are refused',
  async (settings) => {
    const { client } = await payer()
    expect((await client.ask('PATCH', 'balance', settings)).status).toBe(400)
  },
)

test('the database itself refuses what must not happen', async () => {
  const { id: account_id, order, remove, books } = await payer()
  const file = await order(60, 0)
  await remove(file)
  const { db } = kit.platform
  const move = { account_id, currency: 'USD', amount_cents: 10, created_at: 1 }
  const refused = (values: object, words: RegExp) =>
    expect(
      db
        .insertInto('movements')
        .values({ ...move, ...values } as never)
        .execute(),
    ).rejects.toThrow(words)
  await refused({ cause: 'refund', reference: file, source: 'orders', target: 'balance' }, /unique/i)
  const more = { cause: 'refund-to-balance', reference: file, source: 'orders', target: 'balance' }
  await refused(more, /more is given back for an order than was paid/)
  await refused({ cause: 'order', reference: 'x', source: 'balance', target: 'orders', amount_cents: 2_000 }, /check/i)
  await refused({ cause: 'order', reference: 'y', source: 'balance', target: 'balance' }, /check/i)
  await refused({ cause: 'order', reference: 'z', source: 'balance', target: 'orders', amount_cents: -1 }, /check/i)
  await expect(db.updateTable('movements').set({ amount_cents: 1 }).execute()).rejects.toThrow(/never changed/)
  await expect(db.deleteFrom('movements').execute()).rejects.toThrow(/never changed/)
  const { transaction_id: top_up } = await db
    .selectFrom('top_ups')
    .select('transaction_id')
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  const part = { idempotency_key: `more-${account_id}`, account_id, top_up, refund: null, currency: 'USD' }
  const values = { ...part, amount_cents: 1_900, created_at: 1, due_at: 1, status: 'pending' as const }
  await expect(db.insertInto('card_refunds').values(values).execute()).rejects.toThrow(/more goes back to a card/)
  expect(await books()).toEqual({ card: -2_000, balance: 1_875, orders: 0, refunds: 125 })
})

test('what a tray will be paid with is known beforehand', () => {
  const account = { balance_cents: 5, top_up_cents: 2_000 }
  expect(forecastPayment(account, 14)).toEqual({ balanceCents: 5, paidInCents: 2_000, leftCents: 1_991 })
  expect(forecastPayment(account, 5)).toEqual({ balanceCents: 5, paidInCents: 0, leftCents: 0 })
  expect(forecastPayment(account, 7_510)).toEqual({ balanceCents: 5, paidInCents: 8_000, leftCents: 495 })
})
