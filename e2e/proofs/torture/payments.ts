import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { StripePayment } from '../../../src/service/orders/money/payment/stripe/stripe-payment.ts'
import { type Fault, LocalStripe } from '../../../src/service/orders/money/payment/stripe/testing/local-stripe.ts'
import { comeBack, visitCardPage } from '../../../src/service/orders/money/payment/testing/enter-card.ts'
import { reconcileDay } from '../../../src/service/orders/money/reconcile.ts'
import { Changes } from '../../../src/service/platform/db/changes.ts'
import { type Db, openDb } from '../../../src/service/platform/db/open.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm, makeTone } from '../../../src/service/testing/test-service.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { compareWithProvider } from './money-books.ts'
import { any, comesTrue, insist, newKey, quiet, Tally } from './rounds.ts'

const usualKills = unlessShort(100, 2)
/** 2.50 by hand: with the least top-up, every second order charges the card. */
const orderSeconds = 120
const topUpCents = 500
/** Cards that pay, that ask their holder, and whose holder disputes. */
const cards = ['4242424242424242', '4000002760003184', '4000000000000259']
const faults: readonly Fault[] = ['busy', 'fails after taking', 'drops', 'drops after taking', 'nonsense', 'declines']
const events = ['payment_intent.succeeded', 'payment_intent.canceled', 'charge.dispute.created', 'charge.refunded']

type Scene = { service: ServiceProcess; provider: LocalStripe; body: Uint8Array; ordered: Set<string> }

/** One wish under one key until it is answered; people confirm, refuse or forget at the bank, delete, or are paid out. */
async function liveOn({ service, provider, body, ordered }: Scene, key: string): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() }
  const post = () => askApi(service.url, key, 'files', { method: 'POST', body: fileForm(body), headers })
  const answer = await insist(post, [201, 402])
  const bank = answer.headers.get('payment-page')
  const id = await answer.json().then(
    (words) => (words as { id?: string }).id,
    () => undefined,
  )
  if (id !== undefined) ordered.add(id)
  if (bank !== null && Math.random() < 0.9) {
    const verdict = new URLSearchParams({ verdict: Math.random() < 0.8 ? 'yes' : 'no' })
    await fetch(bank, { method: 'POST', body: verdict, redirect: 'manual' }).catch(() => undefined)
  }
  if (id !== undefined && Math.random() < 0.2) {
    await insist(() => askApi(service.url, key, `file/${id}`, { method: 'DELETE' }), [200, 404])
    ordered.delete(id)
  }
  const client = accountClient(service.url, key)
  if (Math.random() < 0.2) await client.ask('POST', 'balance/payout').catch(() => undefined)
  // In any order, twice, of anything.
  const intent = any(provider.state.intents)
  const told = { id: intent?.id, payment_intent: intent?.id }
  for (let times = 0; times < 2; times += 1) await provider.tell(any(events), told).catch(() => undefined)
}

async function openCustomers({ service }: Scene): Promise<string[]> {
  return await Promise.all(
    cards.map(async (number) => {
      const key = await newKey(service, 'live')
      const client = accountClient(service.url, key)
      await comeBack(client, await visitCardPage(client, number))
      await client.read('PATCH', 'balance', { top_up_cents: topUpCents })
      return key
    }),
  )
}

/** What a reconciliation of today and yesterday cannot explain once it has entered what events did not tell. */
async function countUnexplained(db: Db, provider: LocalStripe): Promise<Tally> {
  const tally = new Tally('days reconciled')
  const { books } = await StripePayment.open(provider.config, { read: async () => null, keep: async () => undefined })
  const platform = { db, clock: Date.now, changes: new Changes() }
  for (const at of [Date.now() - 86_400_000, Date.now()]) {
    const day = new Date(at).toISOString().slice(0, 10)
    const { unexplained_cents, findings } = await reconcileDay(platform, books, day, true, new AbortController().signal)
    const words = findings.filter(({ explained }) => !explained).map(({ id, says }) => `${id} ${says}`)
    tally.count(unexplained_cents === 0, `${unexplained_cents} cents of ${day} unexplained: ${words.join('; ')}`)
  }
  return tally
}

async function compare({ service, provider, ordered }: Scene): Promise<Tally[]> {
  const db = await openDb(join(service.dataDir, 'parley.db'))
  try {
    /** Keys of what is neither paid nor given up, apart from what still waits for somebody at the bank. */
    const listOpen = async () => {
      const intents = await db.selectFrom('charge_intents').select('idempotency_key').execute()
      const waiting = await db.selectFrom('waiting_top_ups').select('idempotency_key').execute()
      return [...intents, ...waiting].flatMap(({ idempotency_key: key }) => {
        const states = provider.state.intents.flatMap(({ metadata, status }) =>
          metadata.parley_key === key ? [status] : [],
        )
        return states.includes('requires_action') ? [] : [`${key} (${states})`]
      })
    }
    const settled = new Tally('payments decided')
    const isDecided = await comesTrue(async () => (await listOpen()).length === 0, 150_000)
    settled.count(isDecided, `undecided: ${(await listOpen()).join(', ')}`)
    const files = new Set((await db.selectFrom('files').select('id').execute()).map(({ id }) => id))
    const orders = new Tally('orders kept')
    for (const id of ordered) orders.count(files.has(id), `${id} was answered 201 and is not there`)
    orders.count(files.size === ordered.size, `${files.size} files of ${ordered.size} wishes`)
    return [settled, orders, await countUnexplained(db, provider), await compareWithProvider(db, provider)]
  } finally {
    await db.destroy()
  }
}

/** Kills, lost answers, banks that ask, disputes and events in any order, between the service and Stripe's stand-in. */
export const torturePayments: Bench = async ({ kills: asked }) => {
  const kills = Number(asked ?? usualKills)
  const provider = await new LocalStripe().listen()
  const service = await ServiceProcess.start({ ...quiet, ...provider.env })
  const scene: Scene = { service, provider, body: await makeTone(orderSeconds), ordered: new Set() }
  try {
    provider.endpoint = `${service.url}/payments/events`
    const keys = await openCustomers(scene)
    let isOpen = true
    const living = keys.map(async (key) => {
      while (isOpen) await liveOn(scene, key)
    })
    for (let count = 0; count < kills; count += 1) {
      provider.faults = [any(faults), any(faults)]
      await wait(500 + Math.random() * 2_000)
      await service.kill()
      await service.boot()
    }
    provider.faults = []
    isOpen = false
    await Promise.all(living)
    await service.stop()
    await service.boot()
    const tallies = await compare(scene)
    return [
      { what: 'kills', value: kills, unit: '' },
      { what: 'payments by card', value: provider.charges.length, unit: '' },
      ...tallies.flatMap((tally) => tally.rows()),
    ]
  } finally {
    await service.remove()
    await provider.close()
  }
}
