import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../../src/service/platform/db/open.ts'
import { openPostgres } from '../../../src/service/platform/db/postgres/open-postgres.ts'
import type { PostgresConfig } from '../../../src/service/platform/db/postgres/postgres-config.ts'
import { openSchema } from '../../../src/service/testing/postgres-schemas.ts'
import { startPostgres, type TestCluster } from '../../../src/service/testing/start-postgres.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { unlessShort } from '../bench/short.ts'
import { comesTrue, quiet } from './rounds.ts'

const isShort = unlessShort(false, true)
const tortured = join(import.meta.dirname, 'tortured-service.ts')

/** Several nodes of the service, each a process, on a private PostgreSQL and one directory. */
export class Nodes {
  readonly cluster: TestCluster
  readonly postgres: PostgresConfig
  /** bypasses the nodes, to read the actual state */
  readonly db: Db
  readonly dataDir: string
  readonly environment: Record<string, string>
  readonly all: ServiceProcess[] = []

  private constructor(
    cluster: TestCluster,
    postgres: PostgresConfig,
    db: Db,
    dataDir: string,
    environment: Record<string, string>,
  ) {
    this.cluster = cluster
    this.postgres = postgres
    this.db = db
    this.dataDir = dataDir
    this.environment = environment
  }

  /**
   * @param environment added to that of each node
   * @param urlOf maps the database's URL to the one given to nodes
   */
  static async start(
    count: number,
    environment: Record<string, string> = {},
    urlOf: (url: string) => string = (url) => url,
  ): Promise<Nodes> {
    const cluster = startPostgres(true)
    const postgres = await openSchema(cluster.url)
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-nodes-'))
    const own = { ...quiet, DATABASE_URL: urlOf(postgres.url), ...environment }
    const nodes = new Nodes(cluster, postgres, await openPostgres(postgres), dataDir, own)
    for (let made = 0; made < count; made += 1) await nodes.add()
    return nodes
  }

  /** Starts another node. */
  async add(): Promise<void> {
    this.all.push(await ServiceProcess.start(this.environment, tortured, this.dataDir))
  }

  get first(): ServiceProcess {
    return this.all[0] as ServiceProcess
  }

  /** Round-robin access. */
  at(index: number): ServiceProcess {
    return this.all[index % this.all.length] as ServiceProcess
  }

  /** In a short round: expires all leases, so that nobody waits a minute for those of dead nodes. */
  async endLeases(): Promise<void> {
    if (!isShort) return
    for (const table of ['idempotency', 'charge_intents', 'jobs', 'deliveries', 'uploads', 'chores'] as const) {
      await this.db.updateTable(table).set({ leased_until: 0 }).execute()
    }
  }

  /** Triggers the chores of each node now. */
  doChores(): void {
    for (const { pid } of this.all) process.kill(pid, 'SIGUSR2')
  }

  async remove(): Promise<void> {
    await Promise.all(this.all.map((node) => node.kill()))
    await this.db.destroy()
    this.cluster.remove()
    await rm(this.dataDir, { recursive: true })
  }
}

/** Waits until no charge is undecided. */
export async function booksAreClosed({ db }: Nodes, withinMs: number): Promise<boolean> {
  return await comesTrue(async () => {
    const intent = await db.selectFrom('charge_intents').select('account_id').executeTakeFirst()
    return intent === undefined
  }, withinMs)
}
