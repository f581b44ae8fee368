import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { createAccount } from '../../src/service/accounts/auth/accounts.ts'
import type { PostgresConfig } from '../../src/service/platform/db/postgres/postgres-config.ts'
import { withDatabase } from '../../src/service/start/cli/operate.ts'
import { readConfig } from '../../src/service/start/cli/read-config.ts'
import { nodeFlags } from '../../src/service/testing/real-process.ts'
import { clusterOfRun, type RunningCluster } from '../../src/service/testing/running-cluster.ts'

const run = promisify(execFile)
/** service entry point */
export const parleyProgram = join(import.meta.dirname, '../../src/service/parley.ts')

export type NewAccount = { account: string; key: string }

/** A real service in a separate process and data directory, as started by `npm start`. */
export class ServiceProcess {
  readonly dataDir: string
  readonly #entry: string
  readonly #environment: Record<string, string>
  #child: ChildProcess | null = null
  #url: URL | null = null
  readonly #output: string[] = []
  /** what it needs beside it, closed after it */
  readonly companions: { close: () => Promise<void> }[] = []

  private constructor(dataDir: string, entry: string, environment: Record<string, string>) {
    this.dataDir = dataDir
    this.#entry = entry
    this.#environment = environment
  }

  /**
   * @param environment added to the process's own; with `PORT` it listens there
   * @param entry the program to run instead of the service's own, for one with a fault switch
   * @param shared the data directory of several nodes
   */
  static async start(
    environment: Record<string, string> = {},
    entry = parleyProgram,
    shared?: string,
  ): Promise<ServiceProcess> {
    if (clusterOfRun() !== null)
      throw new Error('This journey needs a service of its own: it proves nothing of a cluster.')
    const dataDir = shared ?? (await mkdtemp(join(tmpdir(), 'parley-e2e-')))
    const service = new ServiceProcess(dataDir, entry, environment)
    await service.boot()
    return service
  }

  /** Connects to a running cluster, which it can neither stop nor start. */
  static async join({ url, env }: RunningCluster): Promise<ServiceProcess> {
    const service = new ServiceProcess(await mkdtemp(join(tmpdir(), 'parley-e2e-')), parleyProgram, env)
    service.#url = new URL(url)
    return service
  }

  /** its database, in the command line's form */
  get postgres(): PostgresConfig | null {
    return readConfig({}, this.#environment).postgres
  }

  get url(): URL {
    if (this.#url === null) throw new Error('The service is not running.')
    return this.#url
  }

  /** Process id, for measuring its memory. */
  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('The service is not running.')
    return this.#child.pid
  }

  /** The service's output so far, for a failing test's report. */
  get output(): string {
    return this.#output.join('\n')
  }

  /** Restarts the process after `kill` or `stop`, on the same port and data. */
  async boot(): Promise<void> {
    const port = this.#url?.port ?? this.#environment.PORT ?? '0'
    const program = [...nodeFlags, this.#entry, 'serve', '--port', port, '--data', this.dataDir]
    const child = spawn(process.execPath, program, {
      env: { ...process.env, ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    createInterface({ input: child.stderr }).on('line', (line) => this.#output.push(line))
    const ready = new Promise<URL>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        this.#output.push(line)
        const address = /ready at (http\S+)/.exec(line)?.[1]
        if (address !== undefined) resolve(new URL(address))
      })
      child.once('exit', (code) => reject(new Error(`The service ended with ${code}:\n${this.output}`)))
    })
    this.#url = await ready
  }

  /** Kills the process like a crash, without a graceful shutdown. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Stops the process gracefully, like Ctrl-C. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
    this.#child = null
  }

  async remove(): Promise<void> {
    await this.stop()
    await Promise.all(this.companions.map((companion) => companion.close()))
    await rm(this.dataDir, { recursive: true, force: true })
  }

  /** Runs the operators' command line alongside the running service. @returns its output */
  async parley(...args: string[]): Promise<string> {
    const env = { ...process.env, ...this.#environment }
    const { stdout } = await run(process.execPath, [parleyProgram, ...args, '--data', this.dataDir], { env })
    return stdout.trim()
  }

  /** A new account, made alongside the running service without the second that its command line takes. */
  async createAccount(environment: 'live' | 'sandbox' = 'live', name = 'Test'): Promise<NewAccount> {
    return await withDatabase(this, async (db) => {
      const { accountId, key } = await createAccount(db, { environment, name }, Date.now())
      return { account: accountId, key }
    })
  }
}
