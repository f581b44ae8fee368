import { join } from 'node:path'
import { createAccount } from '../../../src/service/accounts/auth/accounts.ts'
import { LocalStripe } from '../../../src/service/orders/money/payment/stripe/testing/local-stripe.ts'
import { type Db, openDb } from '../../../src/service/platform/db/open.ts'
import { openPostgres } from '../../../src/service/platform/db/postgres/open-postgres.ts'
import type { PostgresConfig } from '../../../src/service/platform/db/postgres/postgres-config.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { quiet } from '../torture/rounds.ts'

const entry = join(import.meta.dirname, 'moving-service.ts')

/** One service, or two nodes on PostgreSQL, before a stand-in for Stripe; all with one clock, which can be moved. */
export class World {
  readonly nodes: ServiceProcess[]
  readonly provider: LocalStripe
  readonly db: Db
  kills = 0
  #offsetMs = 0

  private constructor(nodes: ServiceProcess[], provider: LocalStripe, db: Db) {
    this.nodes = nodes
    this.provider = provider
    this.db = db
  }

  static async open(postgres: PostgresConfig | null): Promise<World> {
    let world: World | null = null
    const provider = await new LocalStripe(() => world?.now() ?? Date.now()).listen()
    const env = {
      ...{
        ...quiet,
        LOG_LEVEL: 'error',
        ...provider.env,
        INVOICE_PREFIX: 'HIST-',
        SELLER: 'Seller',
        VAT_PERCENT: '8.1',
      },
      SELLER_VAT_NUMBER: 'CHE123456789',
      ...(postgres !== null && { DATABASE_URL: postgres.url, DATABASE_POOL: '5' }),
    }
    const first = await ServiceProcess.start(env, entry)
    const nodes = postgres === null ? [first] : [first, await ServiceProcess.start(env, entry, first.dataDir)]
    const db = await (postgres === null ? openDb(join(first.dataDir, 'parley.db')) : openPostgres(postgres))
    world = new World(nodes, provider, db)
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
  async kill(): Promise<void> {
    const [node] = this.nodes
    if (node === undefined) return
    this.kills += 1
    await node.kill()
    await this.endLeases()
    await node.boot()
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
      const address = node.output.split('\n').findLast((line) => line.startsWith('control at'))
      await fetch(`${address?.slice('control at '.length)}/?ms=${ms}`, { method: 'POST' })
    }
  }

  async close(): Promise<void> {
    for (const node of this.nodes.toReversed()) await node.remove()
    await this.db.destroy()
    await this.provider.close()
  }
}
