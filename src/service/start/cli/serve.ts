import { fstatSync } from 'node:fs'
import { setInterval } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { createAccount, newCurrency, openAccount } from '../../accounts/auth/accounts.ts'
import { type Remote, startRemoteDashboard } from '../../api/remote/remote-app.ts'
import { isRestoreReady } from '../../operations/restore.ts'
import { hasTypists } from '../../orders/create/write-order.ts'
import { commandLine } from '../../platform/command-line.ts'
import type { Config } from '../../platform/config.ts'
import { transactAlone } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Service, startService } from '../service.ts'

const restorePollEveryMs = 500
/** A hard exit loses nothing: the next start resumes any work that takes this long. */
const endsWithinMs = 28_000

/** The shell command that creates a key for an account. */
const newKeyCommand = (accountId: string) => `${commandLine} key create ${accountId}`

/** Whether systemd's journal keeps what is printed, for whoever may read it (systemd.exec, JOURNAL_STREAM). */
function isJournal(): boolean {
  const { dev, ino } = fstatSync(1)
  return process.env.JOURNAL_STREAM === `${dev}:${ino}`
}

/**
 * Next steps, printed after the address. The very first start creates an account in each environment and prints the
 * keys, once, but not into the journal (decision 14); later ones print how to create another key.
 */
function firstSteps({ db, clock, config }: Platform): Promise<string> {
  // If several nodes start at once on an empty database, one creates the accounts.
  return transactAlone(db, 'first accounts', async (trx) => {
    const first = await trx.selectFrom('accounts').select('id').orderBy('created_at').limit(1).executeTakeFirst()
    if (first !== undefined) return `  To create another key to sign in with: ${newKeyCommand(first.id)}`
    const currency = newCurrency(config)
    const ofLive = { environment: 'live', name: 'First account', currency } as const
    const ofSandbox = { environment: 'sandbox', name: 'First account (sandbox)', currency } as const
    if (isJournal()) {
      return `
  Keys are not for the journal. To create the first one:  ${newKeyCommand(await openAccount(trx, ofLive, clock()))}
  or, to try out,                                         ${newKeyCommand(await openAccount(trx, ofSandbox, clock()))}
  (sandbox: files are removed after 24 hours)
`
    }
    const live = await createAccount(trx, ofLive, clock())
    const sandbox = await createAccount(trx, ofSandbox, clock())
    return `
  Sign in with     ${live.key}
  or, to try out,  ${sandbox.key}  (sandbox: files are removed after 24 hours)

  These keys are shown only once. To create another: ${newKeyCommand(live.accountId)}
`
  })
}

/** The last lines of the start, where customers can order what nobody does (decision 145). */
async function warnOfStaff({ db, config }: Platform): Promise<string> {
  if (!config.manualOrders || (await hasTypists(db))) return ''
  return `
  Nobody types here yet: manual orders are charged, and refunded in full on their delivery date if nobody has begun.
  To add staff: ${commandLine} staff add NAME --role typist, or to refuse manual orders: MANUAL_ORDERS=off
`
}

/** The running service; replaced after a restore. */
type Running = { service: Pick<Service, 'close'> }

function fail(error: unknown): never {
  console.error(error)
  process.exit(1)
}

/**
 * Shuts down at the first signal: requests finish, unfinished jobs wait for the next start. Exits at once at the
 * second, or after half a minute.
 */
function closeAtSignal(running: Running, log: Logger, { postgres, leavesForMs }: Config): void {
  let closing = false
  const close = () => {
    if (closing) process.exit(130)
    closing = true
    setTimeout(
      () => {
        log.error('the service did not stop in time; the next start resumes unfinished work')
        process.exit(1)
      },
      endsWithinMs + (postgres === null ? 0 : leavesForMs),
    ).unref()
    running.service.close().then(() => process.exit(0), fail)
  }
  process.on('SIGINT', close).on('SIGTERM', close)
}

/** Restarts the service as soon as a checked backup is waiting, so that startup applies it. */
async function restartForRestore(running: Running, config: Config, start: () => Promise<Service>): Promise<void> {
  for await (const _ of setInterval(restorePollEveryMs, undefined, { ref: false })) {
    if (!isRestoreReady(config.dataDir)) continue
    await running.service.close()
    running.service = await start()
    console.log('A backup was restored.')
  }
}

/** Runs the dashboard in front of an upstream service. */
async function serveRemote(config: Config, remote: Remote, log: Logger): Promise<void> {
  const service = await startRemoteDashboard(config, remote, log)
  closeAtSignal({ service }, log, config)
  console.log(`Parley is ready at ${service.address} in front of ${remote.live.href}`)
}

/** `serve`: runs the service until a signal ends it. @throws StartError */
export async function serve(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel }, pino.destination({ fd: 2, sync: false }))
  if (config.remote !== null) return serveRemote(config, config.remote, log)
  const start = () => startService(config, { clock: Date.now, log })
  const service = await start()
  const running: Running = { service }
  closeAtSignal(running, log, config)
  // Reuses the port if the system assigned it.
  const port = Number(new URL(service.address).port)
  const restart = () => startService({ ...config, port }, { clock: Date.now, log })
  if (config.postgres === null) restartForRestore(running, config, restart).catch(fail)
  const isWorker = config.role === 'worker'
  const next = isWorker ? '' : `\n${await firstSteps(service.platform)}${await warnOfStaff(service.platform)}`
  console.log(`Parley is ready at ${service.address}${next}`)
}
