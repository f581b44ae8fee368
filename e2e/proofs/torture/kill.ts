import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { LocalStripe } from '../../../src/service/orders/money/payment/stripe/testing/local-stripe.ts'
import { openDb } from '../../../src/service/platform/db/open.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm, makeTone } from '../../../src/service/testing/test-service.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { compareWithProvider } from './money-books.ts'
import { any, comesTrue, insist, longest, newPayer, quiet, Tally, timed } from './rounds.ts'

const kills = unlessShort(300, 2)
const customers = 3
const faults = ['busy', 'fails after taking', 'drops', 'drops after taking', 'nonsense', 'declines'] as const

/** An order that a customer retries with one idempotency key until a response reveals its outcome. */
type Wish = { id: string | null; deleted: boolean }

async function wishOf(service: ServiceProcess, key: string, tone: Uint8Array): Promise<Wish> {
  const init = () => ({ method: 'POST', body: fileForm(tone), headers: { 'idempotency-key': wish } })
  const wish = randomUUID()
  const answer = await insist(() => askApi(service.url, key, 'files', init()), [201, 402])
  const id = await answer.json().then(
    (body) => (body as { id?: string }).id ?? null,
    () => undefined,
  )
  // Killed between head and body: retry.
  if (id === undefined) return await wishOf(service, key, tone)
  if (id === null || Math.random() > 0.2) return { id, deleted: false }
  await insist(() => askApi(service.url, key, `file/${id}`, { method: 'DELETE' }), [200, 404])
  return { id, deleted: true }
}

/** Compares customers' responses, the books and the provider's records with each other. */
async function compare(service: ServiceProcess, provider: LocalStripe, wishes: readonly Wish[]): Promise<Tally[]> {
  const [lost, ghosts, books] = [new Tally('orders kept'), new Tally('files asked for'), new Tally('payments decided')]
  const db = await openDb(join(service.dataDir, 'parley.db'))
  const ids = new Set((await db.selectFrom('files').select('id').execute()).map(({ id }) => id))
  const left = await db.selectFrom('charge_intents').select('idempotency_key').execute()
  const money = await compareWithProvider(db, provider)
  await db.destroy()
  const wanted = new Set(wishes.flatMap(({ id, deleted }) => (id === null || deleted ? [] : [id])))
  for (const id of wanted) lost.count(ids.has(id), `${id} was answered 201 and is not there`)
  for (const id of ids) ghosts.count(wanted.has(id), `${id} was never answered, or was deleted`)
  for (const id of await readdir(join(service.dataDir, 'blobs/files')))
    ghosts.count(ids.has(id), `bytes of ${id} stayed`)
  books.count(left.length === 0, `${left.map((row) => row.idempotency_key)} left undecided`)
  return [lost, ghosts, books, money]
}

/** Kills at any moment, with customers who retry and a provider that fails in every way. */
export const tortureKill: Bench = async () => {
  const provider = await new LocalStripe().listen()
  const service = await ServiceProcess.start({ ...quiet, ...provider.env })
  try {
    const key = await newPayer(service)
    // 2.50 by hand: every second order charges the card.
    await accountClient(service.url, key).read('PATCH', 'balance', { top_up_cents: 500 })
    const tone = await makeTone(120)
    const wishes: Wish[] = []
    let isOpen = true
    const working = Array.from({ length: customers }, async () => {
      while (isOpen) wishes.push(await wishOf(service, key, tone))
    })
    const readyMs: number[] = []
    for (let count = 0; count < kills; count += 1) {
      provider.faults = [any(faults), any(faults)]
      await wait(100 + Math.random() * 600)
      await service.kill()
      readyMs.push(await timed(() => service.boot()))
    }
    provider.faults = []
    isOpen = false
    await Promise.all(working)
    await service.stop()
    await service.boot() // which abandons the remains of the kills
    const db = await openDb(join(service.dataDir, 'parley.db'))
    await comesTrue(
      async () => !(await db.selectFrom('charge_intents').select('account_id').executeTakeFirst()),
      60_000,
    )
    await db.destroy()
    const tallies = await compare(service, provider, wishes)
    return [
      { what: 'kills', value: kills, unit: '' },
      { what: 'orders wished', value: wishes.length, unit: '' },
      ...tallies.flatMap((tally) => tally.rows()),
      longest('from start after a kill to ready', readyMs, 5_000),
    ]
  } finally {
    await service.remove()
    await provider.close()
  }
}
