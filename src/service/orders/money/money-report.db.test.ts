import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InvoicePage } from '../../../contract/account/invoices.ts'
import type { Usage } from '../../../contract/account/usage.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import { moneyReport } from '../../start/cli/money.ts'
import { accountClient } from '../../testing/account-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { type MoneyReport, reportMoney } from './money-report.ts'
import { LocalStripe } from './payment/stripe/testing/local-stripe.ts'
import { comeBack, visitCardPage } from './payment/testing/enter-card.ts'

let stripe: LocalStripe
let kit: TestService
beforeAll(async () => {
  stripe = await new LocalStripe(() => kit?.platform.clock() ?? 0).listen()
  const seller = { seller: 'Example Ltd', sellerVatNumber: 'GB123456789', vatPercent: 20, invoicePrefix: 'PAR-' }
  kit = await startTestService({ stripe: stripe.config, role: 'api', ...seller })
  stripe.endpoint = `${kit.address}/payments/events`
})
afterAll(async () => {
  await kit.close()
  await stripe.close()
})

const report = async (month = '2026-11') => (await reportMoney(kit.platform.db, month, null))[0] as MoneyReport

test('a month adds up to the ledger, to invoices and to the books, in any format', async () => {
  const { key } = await kit.account({ environment: 'live' })
  const client = accountClient(kit.address, key)
  await comeBack(client, await visitCardPage(client))
  const order = async () => (await kit.order(key, await kit.tone(600), '?transcript_type=manual')).id
  const [first] = [await order(), await order()]
  expect((await kit.fetch(key, `file/${first}`, { method: 'DELETE' })).status).toBe(200)
  const disputed = stripe.charges.at(-1)?.intent
  if (disputed === undefined) throw new Error('no charge')
  stripe.state.dispute(disputed, 500)
  await stripe.tell('charge.dispute.created', { payment_intent: disputed.id })
  const details = { company: 'C', address: 'A', vat_number: null, reverse_charge: false }
  await client.read('PUT', 'invoicing', details)
  const { charged_cents, refunded_cents } = await client.read<Usage>('GET', 'usage')
  const before = await report()
  expect(before).toMatchObject({ not_invoiced_cents: charged_cents - refunded_cents, fees_cents: null })
  expect(before.charged_cents - before.refunded_cents - before.unpaid_cents).toBe(charged_cents - refunded_cents)
  const moved = before.topped_up_cents - before.sent_back_cents - before.disputed_cents + before.lost_cents
  expect(moved).toBe(charged_cents - refunded_cents + before.balances_cents + before.refunds_due_cents)
  expect(before).toMatchObject({ topped_up_cents: 4_000, disputed_cents: 500, ledger_differs_cents: 0 })
  await kit.order((await kit.account()).key, await kit.tone(1)).catch(() => undefined)
  kit.advance(20 * dayMs)
  await kit.doChores()
  const { invoices } = await client.read<InvoicePage>('GET', 'invoices')
  const invoiced = invoices.reduce((sum, { total_cents }) => sum + total_cents, 0)
  expect([invoices.length, invoiced]).toEqual([1, charged_cents - refunded_cents])
  const after = await report()
  expect({ ...after, not_invoiced_cents: before.not_invoiced_cents }, 'what moved never changes').toEqual(before)
  expect(await report('2026-12')).toMatchObject({
    ...{ charged_cents: 0, sent_back_cents: before.refunds_due_cents },
    invoiced_cents: invoiced,
  })
  const config = { stripe: stripe.config }
  const printed = async (format: string) => await moneyReport(kit.platform.db, { month: '2026-11', format }, config)
  expect(await printed('json')).toEqual([{ ...after, fees_cents: 2 * (58 + 30) }])
  expect((await printed('csv')).join('\n')).toMatch(/^month,currency,charged,.*\n"2026-11","USD",25\.00,/)
  expect((await printed('table')).join('\n')).toMatch(/Charged for orders +25\.00/)
  for (const wrong of [undefined, '2026', '2026-13', 'november'])
    await expect(reportMoney(kit.platform.db, wrong, null)).rejects.toThrow('Name a month in UTC')
})
