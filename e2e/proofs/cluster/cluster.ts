import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { openBucket } from '../../../src/service/platform/media/s3/bucket.ts'
import { readConfig } from '../../../src/service/start/cli/read-config.ts'
import { leaveNothing } from '../../../src/service/testing/leave-nothing.ts'
import type { RunningCluster } from '../../../src/service/testing/running-cluster.ts'
import { freePort, gatewayUser, startGateway } from '../../../src/service/testing/start-gateway.ts'
import { startPostgres } from '../../../src/service/testing/start-postgres.ts'
import { parleyProgram, ServiceProcess } from '../../kit/service-process.ts'
import { Ends } from './ends.ts'

const proxyStartsWithinMs = 30_000

/** The deployed proxy configuration, on loopback and without TLS, for nodes at these ports. */
function proxyConfig(port: number, nodes: readonly number[]): string {
  const deployed = readFileSync(join(import.meta.dirname, '../../../deploy/haproxy.cfg'), 'utf8')
  const servers = nodes.map((at, index) => `  server api-${index + 1} 127.0.0.1:${at}\n`).join('')
  return deployed
    .replace(/^frontend plain\n( .*\n)+/m, '')
    .replace(/^ {2}bind :443 .*$/m, `  bind 127.0.0.1:${port}`)
    .replace(/^ {2}http-request set-header X-Forwarded-Proto https\n/m, '')
    .replace(/^( {2}server api-\d api-\d:4600\n)+/m, servers)
}

async function startProxy(directory: string, nodes: readonly number[]) {
  const port = await freePort()
  const path = join(directory, 'haproxy.cfg')
  writeFileSync(path, proxyConfig(port, nodes))
  const child = spawn('haproxy', ['-db', '-f', path], { stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (let left = proxyStartsWithinMs; !(await isReady()); left -= 100) {
    if (left <= 0 || child.exitCode !== null) throw new Error('The proxy did not start.')
    await wait(100)
  }
  return { url, child }
}

/** Starts database and bucket. @returns environment variables for all processes */
async function startStores(ends: Ends): Promise<Record<string, string>> {
  const postgres = startPostgres()
  ends.add(() => postgres.remove())
  const gateway = await startGateway()
  ends.add(() => gateway.stop())
  const aws = { AWS_ACCESS_KEY_ID: gatewayUser.accessKeyId, AWS_SECRET_ACCESS_KEY: gatewayUser.secretAccessKey }
  Object.assign(process.env, aws)
  const s3 = { BLOBS: 's3://parley', S3_ENDPOINT: gateway.endpoint, S3_PATH_STYLE: '1' }
  const env = { ...aws, ...s3, DATABASE_URL: postgres.url, OFFLINE: '1', LOG_LEVEL: 'warn', WORKER_PARALLEL: '1' }
  const config = readConfig({}, env).s3
  if (config !== null) await openBucket(config).client.send(new CreateBucketCommand({ Bucket: config.bucket }))
  return env
}

/** The parts of a cluster, each started on request. */
export class Cluster {
  readonly directory: string
  readonly env: Record<string, string>
  readonly #ends: Ends
  #nodes = 0

  private constructor(directory: string, env: Record<string, string>, ends: Ends) {
    this.directory = directory
    this.env = env
    this.#ends = ends
  }

  /**
   * Starts PostgreSQL and an S3 server (Debian's Ceph gateway); then runs `work`, and ends everything if that fails.
   * @param environment added to that of all processes
   */
  static async with<Made>(
    environment: Record<string, string>,
    work: (cluster: Cluster) => Promise<Made>,
  ): Promise<Made> {
    const ends = new Ends()
    try {
      const directory = mkdtempSync(join(tmpdir(), 'parley-cluster-'))
      leaveNothing(directory)
      ends.add(() => rmSync(directory, { recursive: true, force: true }))
      return await work(new Cluster(directory, { ...(await startStores(ends)), ...environment }, ends))
    } catch (error) {
      await ends.run()
      throw error
    }
  }

  /** Migrates the database with this program. */
  migrate(program = parleyProgram): void {
    execFileSync(process.execPath, [program, 'migrate'], { env: { ...process.env, ...this.env } })
  }

  /** Starts a node. @param port of an API node */
  async node(role: 'api' | 'worker', port: number | null = null, program = parleyProgram): Promise<ServiceProcess> {
    const data = join(this.directory, `${role}-${++this.#nodes}`)
    const at: Record<string, string> = port === null ? {} : { PORT: String(port) }
    const environment = { ...this.env, ...at, PARLEY_ROLE: role, SCRATCH_DIR: `${data}-scratch` }
    const started = await ServiceProcess.start(environment, program, data)
    this.#ends.add(() => started.remove())
    return started
  }

  /** Starts the proxy. @returns its address */
  async proxy(ports: readonly number[]): Promise<string> {
    const { url, child } = await startProxy(this.directory, ports)
    this.#ends.add(() => end(child))
    return url
  }

  /** Ends everything, in order. */
  stop(): Promise<void> {
    return this.#ends.run()
  }
}

/**
 * Starts the services of `deploy/compose.yml` on loopback: PostgreSQL, an S3 server, the migration, two API nodes, two
 * workers, and the proxy of `deploy/haproxy.cfg` before them, without TLS.
 * @param environment added to that of all processes: at least the recognizer, `sherpa` to disable recognition
 */
export function startCluster(environment: {
  [name: string]: string
  RECOGNIZER: 'pocketsphinx' | 'sherpa'
}): Promise<RunningCluster & { stop(): Promise<void> }> {
  return Cluster.with(environment, async (cluster) => {
    cluster.migrate()
    const ports = [await freePort(), await freePort()]
    for (const port of ports) await cluster.node('api', port)
    for (const _ of ports) await cluster.node('worker')
    return { url: await cluster.proxy(ports), env: cluster.env, stop: () => cluster.stop() }
  })
}

function end(child: ChildProcess): void {
  child.kill('SIGTERM')
}
