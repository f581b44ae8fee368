import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { readConfig } from '../../src/service/cli/read-config.ts'
import { openBucket } from '../../src/service/media/s3/bucket.ts'
import type { RunningCluster } from '../../src/service/testing/running-cluster.ts'
import { freePort, gatewayUser, startGateway } from '../../src/service/testing/start-gateway.ts'
import { startPostgres } from '../../src/service/testing/start-postgres.ts'
import { parleyProgram, ServiceProcess } from '../service-process.ts'

const proxyStartsWithinMs = 30_000

/** The proxy's configuration as it is deployed, on loopback and without TLS, before these nodes. */
function proxyConfig(port: number, nodes: readonly ServiceProcess[]): string {
  const deployed = readFileSync(join(import.meta.dirname, '../../deploy/haproxy.cfg'), 'utf8')
  return deployed
    .replace(/^frontend plain\n( .*\n)+/m, '')
    .replace(/^ {2}bind :443 .*$/m, `  bind 127.0.0.1:${port}`)
    .replace(/^ {2}http-request set-header X-Forwarded-Proto https\n/m, '')
    .replaceAll(/api-(\d):4600/g, (_, number) => nodes[Number(number) - 1]?.url.host ?? '')
}

async function startProxy(directory: string, nodes: readonly ServiceProcess[]) {
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

/** What to end in order, from the last to the first; and what nobody may leave behind, even if nothing is ended in order. */
class Ends {
  readonly #ends: (() => unknown)[] = []
  readonly #cleaner = spawn(process.execPath, [join(import.meta.dirname, 'clean-up.ts')], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  })

  constructor() {
    this.#cleaner.unref()
  }

  /** @param left pids and directories that are ended and removed when this process is gone */
  add(end: () => unknown, ...left: (string | number | undefined)[]): void {
    this.#ends.push(end)
    this.#cleaner.stdin.write(left.map((each) => `${each}\n`).join(''))
  }

  async run(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end()
    // Nothing is left to be ended, and by then another process may have one of these pids.
    this.#cleaner.stdin.end('done\n')
  }
}

/** The database and the bucket. @returns the variables of all processes */
async function startStores(ends: Ends): Promise<Record<string, string>> {
  const postgres = startPostgres()
  ends.add(() => postgres.remove(), postgres.directory)
  const gateway = await startGateway()
  ends.add(() => gateway.stop(), gateway.directory)
  const aws = { AWS_ACCESS_KEY_ID: gatewayUser.accessKeyId, AWS_SECRET_ACCESS_KEY: gatewayUser.secretAccessKey }
  Object.assign(process.env, aws)
  const s3 = { BLOBS: 's3://parley', S3_ENDPOINT: gateway.endpoint, S3_PATH_STYLE: '1' }
  const env = { ...aws, ...s3, DATABASE_URL: postgres.url, OFFLINE: '1', LOG_LEVEL: 'warn', WORKER_PARALLEL: '1' }
  const config = readConfig({}, env).s3
  if (config !== null) await openBucket(config).client.send(new CreateBucketCommand({ Bucket: config.bucket }))
  execFileSync(process.execPath, [parleyProgram, 'migrate'], { env: { ...process.env, ...env } })
  return env
}

/**
 * Starts on loopback what `deploy/compose.yml` starts: PostgreSQL, an S3 server (Debian's Ceph gateway), the migration, two
 * API nodes, two workers, and the proxy of `deploy/haproxy.cfg` before them, without TLS.
 * @param recogniser `sherpa` where nothing is to be recognised
 */
export async function startCluster(
  recogniser: 'pocketsphinx' | 'sherpa',
): Promise<RunningCluster & { stop(): Promise<void> }> {
  const ends = new Ends()
  const stop = () => ends.run()
  try {
    const directory = mkdtempSync(join(tmpdir(), 'parley-cluster-'))
    ends.add(() => rmSync(directory, { recursive: true, force: true }), directory)
    const env = { ...(await startStores(ends)), RECOGNISER: recogniser }
    const node = async (role: string, number: number) => {
      const scratch = join(directory, `${role}-${number}`)
      const started = await ServiceProcess.start({ ...env, PARLEY_ROLE: role, SCRATCH_DIR: scratch })
      ends.add(() => started.remove(), started.pid, started.dataDir)
      return started
    }
    const api = [await node('api', 1), await node('api', 2)]
    for (const number of [1, 2]) await node('worker', number)
    const { url, child } = await startProxy(directory, api)
    ends.add(() => end(child), child.pid)
    return { url, env, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function end(child: ChildProcess): void {
  child.kill('SIGTERM')
}
