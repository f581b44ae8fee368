import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hourMs } from '../../../contract/common/durations.ts'
import { type AccountClient, accountClient } from '../../testing/account-client.ts'
import { startTestService, type TestService, testStart } from '../../testing/test-service.ts'
import { LocalStripe } from './payment/stripe/testing/local-stripe.ts'
import { comeBack, visitCardPage } from './payment/testing/enter-card.ts'
import { reconcileDay } from './reconcile.ts'

let now: number
let stripe: LocalStripe
let service: TestService
let key: string
let dataDir: string
let client: AccountClient
beforeEach(async () => {
  now = testStart
  stripe = await new LocalStripe(() => service?.platform.clock() ?? now).listen()
  dataDir = await mkdtemp(join(tmpdir(), 'parley-reconcile-'))
  service = await startTestService({ stripe: stripe.config, dataDir, role: 'api' })
  key = (await service.account({ environment: 'live' })).key
  client = accountClient(service.address, key)
  await comeBack(client, await visitCardPage(client))
})
afterEach(async () => {
  service.loggedErrors.length = 0
  await service.close()
  await stripe.close()
  for (const path of [dataDir, `${dataDir}-copy`]) await rm(path, { recursive: true, force: true })
})

/** Ends the service, does something to its data, and starts it again. */
async function reopen(between: () => Promise<unknown>): Promise<void> {
  await service.close()
  await between()
  service = await startTestService({ stripe: stripe.config, dataDir, role: 'api' })
  client = accountClient(service.address, key)
}

const order = async () => (await service.post(key, await service.tone(600), '?transcript_type=manual')).status
const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10)
async function reconcile(enters = false, at = service.platform.clock()) {
  const { books } = service.platform.payment.live
  if (books === null) throw new Error('no books')
  return await reconcileDay(service.platform, books, isoDay(at), enters, new AbortController().signal)
}
const says = async () => (await reconcile()).findings.map((each) => `${each.kind} ${each.cents}: ${each.says}`)

/** Payments by the card of 20.00 each, and what is left of one sent back. */
async function trade(): Promise<void> {
  for (let times = 0; times < 2; times += 1) expect(await order()).toBe(201) // 12.50 each
  expect(stripe.charges).toHaveLength(2)
  await client.ask('POST', 'balance/payout')
  await service.doChores()
  expect(stripe.takenCents).toBe(2_500)
}

test('a day with charges, refunds, voids, disputes and those of others has no cent unexplained', async () => {
  await trade()
  stripe.faults = ['fails after taking']
  expect(await order(), 'is voided').toBe(502)
  await comeBack(client, await visitCardPage(client, '4000000000000259'))
  expect(await order()).toBe(201)
  const disputed = stripe.charges.at(-1)?.intent
  stripe.endpoint = `${service.address}/payments/events`
  await stripe.tell('charge.dispute.created', { payment_intent: disputed?.id })
  const [other] = stripe.state.intents
  if (other?.charge) {
    const charge = { ...other.charge, id: 'ch_other', disputed: false }
    stripe.state.intents.push({ ...other, id: 'pi_other', metadata: {}, charge })
  }
  const day = await reconcile()
  expect(day).toMatchObject({ unexplained_cents: 0, movements: 8 })
  expect(day.findings.map((each) => each.says)).toEqual([
    'voided: its order was not made',
    'not of this service, which shares the account at the provider',
    'voids a charge whose order was not made',
  ])
  const kept = service.platform.db.selectFrom('secrets').select('value').where('name', '=', 'unreconciled-cents')
  service.advance(24 * hourMs)
  await service.doChores()
  expect(await kept.execute()).toEqual([{ value: '0' }])
  expect(await reconcile(false, now - 30 * 24 * hourMs)).toMatchObject({ unexplained_cents: 0, movements: 0 })
})

test('the restore of an older copy, and one reconciliation that enters what is lost, leave no cent unexplained', async () => {
  await reopen(async () => await cp(dataDir, `${dataDir}-copy`, { recursive: true }))
  await trade()
  await reopen(async () => {
    await rm(dataDir, { recursive: true })
    await cp(`${dataDir}-copy`, dataDir, { recursive: true })
  })
  expect(await client.read('GET', 'balance')).toMatchObject({ balance_cents: 0 })
  const lost = await reconcile()
  expect(lost.unexplained_cents).toBe(2_000 + 2_000 + stripe.state.refunds.reduce((sum, { amount }) => sum + amount, 0))
  expect(new Set(lost.findings.map((each) => each.says))).toEqual(new Set([expect.stringMatching(/--enter/)]))
  expect(await reconcile(true)).toMatchObject({ unexplained_cents: 0 })
  expect(await reconcile()).toMatchObject({ unexplained_cents: 0, findings: [] })
  expect(await client.read('GET', 'balance')).toMatchObject({ balance_cents: stripe.takenCents })
})

test('what is in the books alone, or otherwise than at the provider, is named to the cent', async () => {
  await trade()
  const [first, second] = stripe.state.intents
  if (first?.charge) first.charge.amount = 1_999
  stripe.state.intents.splice(stripe.state.intents.indexOf(second as never), 1)
  const [refund] = stripe.state.refunds.splice(0, 1)
  expect(await says()).toEqual([
    'charge 1999: in the books as 20.00 USD',
    'top-up 2000: in the books, and not at the provider',
    `refund-paid ${-(refund?.amount ?? 0)}: paid in the books, and not within a day of it at the provider`,
  ])
  expect(await reconcile(true)).toMatchObject({ unexplained_cents: 3_999 + (refund?.amount ?? 0) })
})
