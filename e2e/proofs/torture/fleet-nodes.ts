import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import type { Db } from '../../../src/service/platform/db/open.ts'
import { openPostgres } from '../../../src/service/platform/db/postgres/open-postgres.ts'
import { type Bucket, openBucket } from '../../../src/service/platform/media/s3/bucket.ts'
import { type FaultProxy, startFaultProxy } from '../../../src/service/testing/fault-proxy.ts'
import { openSchema } from '../../../src/service/testing/postgres-schemas.ts'
import { gatewayUser, startGateway } from '../../../src/service/testing/start-gateway.ts'
import { startPostgres, type TestCluster } from '../../../src/service/testing/start-postgres.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { quiet } from './rounds.ts'

const tortured = join(import.meta.dirname, 'tortured-service.ts')
/** Like a supervisor: a node without its stores exits with a message, and is restarted. */
const startsAgainAfterMs = 500

/** API nodes and workers, each a process, on one PostgreSQL and one bucket, the latter behind our own proxy. */
export class Fleet {
  readonly api: ServiceProcess[] = []
  readonly workers: ServiceProcess[] = []
  readonly cluster: TestCluster
  /** bypasses the proxy, to read the actual state */
  readonly bucket: Bucket
  readonly proxy: FaultProxy
  /** bypasses the nodes, to read the actual state */
  readonly db: Db
  readonly dataDir: string
  readonly #ends: (() => unknown)[]

  private constructor(stores: Awaited<ReturnType<typeof startStores>>, ends: (() => unknown)[]) {
    const { cluster, bucket, proxy, db, dataDir } = stores
    this.cluster = cluster
    this.bucket = bucket
    this.proxy = proxy
    this.db = db
    this.dataDir = dataDir
    this.#ends = ends
  }

  /** @param environment added to that of each node */
  static async start(each: number, environment: Record<string, string>): Promise<Fleet> {
    const ends: (() => unknown)[] = []
    try {
      const stores = await startStores(ends)
      const fleet = new Fleet(stores, ends)
      for (let made = 0; made < each; made += 1) {
        for (const role of ['api', 'worker'] as const) {
          const own = { PARLEY_ROLE: role, SCRATCH_DIR: join(stores.dataDir, `${role}-${made}`) }
          const env = { ...quiet, ...stores.environment, ...environment, ...own }
          const node = await ServiceProcess.start(env, tortured, stores.dataDir)
          ends.push(() => node.kill())
          fleet[role === 'api' ? 'api' : 'workers'].push(node)
        }
      }
      return fleet
    } catch (error) {
      await endAll(ends)
      throw error
    }
  }

  get all(): readonly ServiceProcess[] {
    return [...this.api, ...this.workers]
  }

  /** Kills a node and restarts it, repeatedly while its stores are unavailable. */
  async killAndBoot(node: ServiceProcess): Promise<void> {
    await node.kill()
    for (;;) {
      const isUp = await node.boot().then(
        () => true,
        () => false,
      )
      if (isUp) return
      await wait(startsAgainAfterMs)
    }
  }

  /** Moves the clock of all nodes. */
  async moveClock(byMs: number): Promise<void> {
    await writeFile(join(this.dataDir, 'clock'), String(byMs))
  }

  /** Triggers the chores of each node now. */
  doChores(): void {
    for (const { pid } of this.all) process.kill(pid, 'SIGUSR2')
  }

  async remove(): Promise<void> {
    await endAll(this.#ends)
  }
}

async function endAll(ends: (() => unknown)[]): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}

/** The database and the bucket, with the nodes' configuration for them. */
async function startStores(ends: (() => unknown)[]) {
  const cluster = startPostgres(true)
  ends.push(() => cluster.remove())
  const postgres = await openSchema(cluster.url)
  const db = await openPostgres(postgres)
  ends.push(() => db.destroy())
  const gateway = await startGateway()
  ends.push(() => gateway.stop())
  const proxy = await startFaultProxy(new URL(gateway.endpoint))
  ends.push(() => proxy.close())
  const { accessKeyId, secretAccessKey } = gatewayUser
  const s3 = { bucket: 'fleet', prefix: 'parley/', region: 'us-east-1', isPathStyle: true }
  const bucket = openBucket({ ...s3, endpoint: new URL(gateway.endpoint) }, { accessKeyId, secretAccessKey })
  await bucket.client.send(new CreateBucketCommand({ Bucket: s3.bucket }))
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-fleet-'))
  ends.push(() => rm(dataDir, { recursive: true, force: true }))
  const environment: Record<string, string> = {
    DATABASE_URL: postgres.url,
    BLOBS: `s3://${s3.bucket}/${s3.prefix}`,
    S3_ENDPOINT: proxy.endpoint.href,
    S3_PATH_STYLE: '1',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    WORKER_PARALLEL: '1',
  }
  return { cluster, bucket, proxy, db, dataDir, environment }
}
