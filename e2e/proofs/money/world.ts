import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayMs } from '../../../src/contract/common/durations.ts'
import type { DatedRates } from '../../../src/contract/interface/price.ts'
import { createAccount } from '../../../src/service/accounts/auth/accounts.ts'
import { LocalStripe } from '../../../src/service/orders/money/payment/stripe/testing/local-stripe.ts'
import { type Db, openDb } from '../../../src/service/platform/db/open.ts'
import { openPostgres } from '../../../src/service/platform/db/postgres/open-postgres.ts'
import type { PostgresConfig } from '../../../src/service/platform/db/postgres/postgres-config.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { persist, quiet } from '../torture/rounds.ts'
import { datedPrices, freeMinutes } from './prices.ts'

/** Of these a world lives a part: eight and a half for ten histories. */
const pricedDays = 1_000
/** as `parley.ts` does: what Node compiles at the start of each node */
const compiled = join(import.meta.dirname, '../../../node_modules/.cache/compiled')
const entry = join(import.meta.dirname, 'moving-service.ts')

/** One service, or two nodes on PostgreSQL, before a stand-in for Stripe; all with one clock, which can be moved. */
export class World {
  readonly nodes: ServiceProcess[]
  readonly provider: LocalStripe
  readonly db: Db
  readonly prices: readonly DatedRates[]
  kills = 0
  #offsetMs = 0

  private constructor(
    nodes: ServiceProcess[],
    { provider, db, prices }: { provider: LocalStripe; db: Db; prices: readonly DatedRates[] },
  ) {
    this.nodes = nodes
    this.provider = provider
    this.db = db
    this.prices = prices
  }

  /** @param path where ffprobe is found */
  static async open(postgres: PostgresConfig | null, path: string): Promise<World> {
    const prices = datedPrices(Date.now(), pricedDays)
    const files = await mkdtemp(join(tmpdir(), 'parley-money-'))
    const RATES_FILE = join(files, 'rates.json')
    await writeFile(RATES_FILE, JSON.stringify({ USD: prices.map(({ from, rates }) => ({ from, ...rates })) }))
    let world: World | null = null
    const provider = await new LocalStripe(() => world?.now() ?? Date.now()).listen()
    const seller = { INVOICE_PREFIX: 'HIST-', SELLER: 'Seller', VAT_PERCENT: '8.1', SELLER_VAT_NUMBER: 'CHE123456789' }
    const env = {
      ...{ ...quiet, LOG_LEVEL: 'error', PATH: path, NODE_COMPILE_CACHE: compiled },
      ...{ ...provider.env, ...seller, RATES_FILE, FREE_MINUTES: String(freeMinutes) },
      ...(postgres !== null && { DATABASE_URL: postgres.url, DATABASE_POOL: '5' }),
    }
    const first = await ServiceProcess.start(env, entry)
    first.companions.push({ close: () => rm(files, { recursive: true }) })
    const nodes = postgres === null ? [first] : [first, await ServiceProcess.start(env, entry, first.dataDir)]
    const db = await (postgres === null ? openDb(join(first.dataDir, 'parley.db')) : openPostgres(postgres))
    world = new World(nodes, { provider, db, prices })
    provider.endpoint = `${first.url}payments/events`
    return world
  }

  now(): number {
    return Date.now() + this.#offsetMs
  }

  async account(): Promise<{ id: string; key: string }> {
    const made = await createAccount(this.db, { environment: 'sandbox', name: 'History' }, this.now())
    return { id: made.accountId, key: made.key }
  }

  /** Kills a node like a crash, and starts it again. What it held is free at once, as if a minute had passed. */
  async kill(which: number): Promise<void> {
    const node = this.nodes[which % this.nodes.length]
    if (node === undefined) return
    this.kills += 1
    await node.kill()
    await this.endLeases()
    await persist(() => node.boot())
  }

  /** As if a minute had passed in which nobody held anything; leases are of the database's own clock. */
  async endLeases(): Promise<void> {
    for (const table of ['charge_intents', 'idempotency', 'chores'] as const)
      await this.db.updateTable(table).set({ leased_until: 0 }).execute()
  }

  /** Moves the clock of all, and does the chores of each. */
  async advance(ms: number): Promise<void> {
    this.#offsetMs += ms
    for (const node of this.nodes) {
      // One that was killed meanwhile starts again, which takes long on a busy machine, and at another address.
      const move = () => {
        const address = node.output.split('\n').findLast((line) => line.startsWith('control at'))
        return fetch(`${address?.slice('control at '.length)}/?ms=${this.#offsetMs}`, { method: 'POST' })
      }
      await persist(move, 60)
    }
  }

  /** Goes on to some milliseconds before the next midnight (UTC), when prices change. */
  async advanceToMidnight(beforeMs: number): Promise<void> {
    const midnight = Math.ceil((this.now() + beforeMs) / dayMs) * dayMs
    await this.advance(midnight - Math.round(beforeMs) - this.now())
  }

  async close(): Promise<void> {
    for (const node of this.nodes.toReversed()) await node.remove()
    await this.db.destroy()
    await this.provider.close()
  }
}
