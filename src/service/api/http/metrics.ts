import { once } from 'node:events'
import { statfs } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type RawBuilder, sql } from 'kysely'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { certificateEnd } from '../../operations/certificate.ts'
import { lastBackupAt } from '../../operations/last-backup.ts'
import { leasesLost } from '../../platform/db/leases.ts'
import { ownErrors } from '../../platform/own-errors.ts'
import { declinedCards, providerErrors } from '../../platform/payment-errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { explainError, StartError } from '../../platform/start-error.ts'

/*
 * Loaded only if metrics are served, as loading prom-client takes longer than opening an embedded database. Label values
 * are our own words and routes hold parameter names, so no ID or key ends up in a label.
 */

type Read = (platform: Platform) => number | Promise<number>

const gauges: Record<string, [help: string, read: Read]> = {
  process_resident_memory_bytes: ['Resident memory in bytes.', () => process.memoryUsage.rss()],
  parley_heap_used_bytes: ['JavaScript heap in use, in bytes.', () => process.memoryUsage().heapUsed],
  parley_disk_free_bytes: ['Free bytes of the disk of SCRATCH_DIR, or of the data directory.', freeBytes],
  parley_last_backup_seconds: [
    'Time since the last backup of this data directory, in seconds; since 1970 if none is known; 0 with PostgreSQL, which has its own.',
    ({ config, clock }) => (config.postgres === null ? (clock() - (lastBackupAt(config.dataDir) ?? 0)) / 1_000 : 0),
  ],
  parley_uptime_seconds: ['Time since the start of the process.', () => process.uptime()],
}

const counters: Record<string, [help: string, read: () => number]> = {
  process_cpu_seconds_total: ['Processor time used.', cpuSeconds],
  parley_leases_lost_total: ['Work of this process that another has taken over since the start.', leasesLost],
  parley_payment_provider_errors_total: [
    'Calls of the payment provider that failed or were refused, declined cards apart, since the start.',
    providerErrors,
  ],
  parley_cards_declined_total: ['Orders of live accounts whose card was declined, since the start.', declinedCards],
}

const isLivePart = sql`step is not null and file_id in (select id from files where environment = 'live')`

/** Counts over the whole database: nodes that share one report the same. */
const storedCounts: Record<string, [help: string, labelNames: string[], query: (now: number) => RawBuilder<Row>]> = {
  parley_files: [
    'Files by environment and state.',
    ['environment', 'state'],
    () => sql`select environment, case when progress_percent >= 100 then 'ready'
      when given_up = 1 then 'given up' when delay_reason is not null then 'delayed' else 'in progress' end as state, count(*) as n from files group by 1, 2`,
  ],
  parley_oldest_waiting_job_seconds: [
    'How long the job that waits longest has been due, by kind.',
    ['kind'],
    (now) => sql`select kind, (${sql.lit(now)} - min(run_after)) / 1000 as n from jobs
      where state = 'waiting' and run_after <= ${sql.lit(now)} group by 1`,
  ],
  parley_jobs: [
    'Jobs by kind and state.',
    ['kind', 'state'],
    () => sql`select kind, state, count(*) as n from jobs group by 1, 2`,
  ],
  parley_work_parts: [
    'Parts of live manual orders by their next step: held by staff, or waiting for them.',
    ['step', 'state'],
    (now) => sql`select step, case when held_until > ${sql.lit(now)} then 'held' else 'waiting' end as state,
      count(*) as n from work_parts where ${isLivePart} group by 1, 2`,
  ],
  parley_work_oldest_waiting_seconds: [
    'How long the part that waits longest has been waiting for staff, by step.',
    ['step'],
    (now) => sql`select step, (${sql.lit(now)} - min(waiting_since)) / 1000 as n from work_parts
      where ${isLivePart} and held_until <= ${sql.lit(now)} group by 1`,
  ],
  parley_work_steps_to_decide: [
    'Odd steps that wait for a manager.',
    [],
    () => sql`select count(*) as n from work_claims where verdict = 'waiting'`,
  ],
  parley_money_cents: [
    'Money in the books of live accounts, by book and currency: card (paid in, less what went back; below zero), balance, orders, refunds, loss.',
    ['book', 'currency'],
    () => sql`select b.book, b.currency, sum(b.amount_cents) as n from books b
      join accounts a on a.id = b.account_id and a.environment = 'live' group by 1, 2`,
  ],
  parley_refunds: [
    'Refunds of live accounts that are to be sent to cards: pending, or failed and tried again.',
    ['state'],
    () => sql`select s.state, count(r.idempotency_key) as n
      from (select 'pending' as state, 0 as failed union all select 'failed', 1) s
      left join (select c.idempotency_key, case when c.next_try_at is null then 0 else 1 end as failed
        from card_refunds c join accounts a on a.id = c.account_id and a.environment = 'live'
        where c.status = 'pending') r on r.failed = s.failed group by 1`,
  ],
  parley_unreconciled_cents: [
    'Sum by which the books and the payment provider differed on the last day that was compared, in cents.',
    [],
    () => sql`select value as n from secrets where name = 'unreconciled-cents'`,
  ],
  parley_webhook_deliveries: [
    'Webhook deliveries by state.',
    ['state'],
    () => sql`select state, count(*) as n from deliveries group by 1`,
  ],
  parley_unfinished_uploads: [
    'Resumable uploads that are not orders yet.',
    [],
    () => sql`select count(*) as n from uploads where file_id is null`,
  ],
}

/** Columns other than `n` are labels. */
type Row = { n: string | number; [label: string]: string | number }

async function freeBytes({ config: { scratchDir, dataDir } }: Platform): Promise<number> {
  const { bavail, bsize } = await statfs(scratchDir ?? dataDir)
  return bavail * bsize
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Names that nobody else can point here: addresses, names of the own network, and of this machine. */
const ownHost = /^(?:\[[\da-f:.]+\]|[\d.]+|[^.:]+|.+\.(?:local|internal|svc))(?::\d+)?$/i

/** True for a name by which a web page might read the metrics from an operator's browser (DNS rebinding). */
function isRebindable(host: string | undefined): boolean {
  return (
    host !== undefined && !ownHost.test(host) && host.replace(/:\d+$/, '').toLowerCase() !== hostname().toLowerCase()
  )
}

/** Metrics of this process and of the database it uses, read at each scrape. */
export class Metrics {
  readonly #platform: Platform
  readonly #server = createServer((request, response) =>
    ownErrors(
      () => this.#answer(request, response),
      () => response.destroy(),
    )(),
  )
  readonly #registry = new Registry()
  readonly #registers = [this.#registry]
  readonly #loopDelay = monitorEventLoopDelay({ resolution: 20 })
  readonly #answers = new Counter({
    name: 'parley_http_answers_total',
    help: 'Responses by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: this.#registers,
  })
  readonly #answerSeconds = new Histogram({
    name: 'parley_http_answer_seconds',
    help: 'Time from request to response.',
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10, 60],
    registers: this.#registers,
  })

  constructor(platform: Platform) {
    this.#platform = platform
    for (const [name, [help, labelNames, query]] of Object.entries(storedCounts)) {
      const collect = async () => {
        const { rows } = await query(Math.round(platform.clock())).execute(platform.db)
        gauge.reset()
        for (const { n, ...labels } of rows) gauge.set(labels, Number(n))
      }
      const gauge = new Gauge({ name, help, labelNames, registers: this.#registers, collect })
    }
    for (const [name, [help, read]] of Object.entries(gauges)) this.addGauge(name, help, () => read(platform))
    for (const [name, [help, read]] of Object.entries(counters)) {
      const collect = () => {
        counter.reset()
        counter.inc(read())
      }
      const counter = new Counter({ name, help, registers: this.#registers, collect })
    }
    // The one that is served: a newer file counts after a restart.
    const validToMs = certificateEnd(platform.config)
    const certificateHelp = 'How long the certificate at TLS_CERT is still valid, in seconds; infinite without one.'
    this.addGauge('parley_certificate_seconds', certificateHelp, () => (validToMs - platform.clock()) / 1_000)
    const delayHelp = '99th percentile of the event loop’s delay since the last scrape.'
    this.addGauge('parley_event_loop_delay_seconds', delayHelp, () => this.#readLoopDelay())
  }

  #readLoopDelay(): number {
    const seconds = this.#loopDelay.percentile(99) / 1e9
    this.#loopDelay.reset()
    return seconds
  }

  addGauge(name: string, help: string, read: () => number | Promise<number>): void {
    const collect = async () => gauge.set(await read())
    const gauge: Gauge = new Gauge({ name, help, registers: this.#registers, collect })
  }

  countAnswer(method: string, route: string, status: number, seconds: number): void {
    this.#answers.inc({ method, route, status })
    this.#answerSeconds.observe(seconds)
  }

  /**
   * Serves `GET /metrics` on a separate port, on loopback by default, since it is for operators only.
   * @returns the port
   * @throws StartError if the port is taken
   */
  async serve(): Promise<number> {
    const { metricsHost: host, metricsPort } = this.#platform.config
    const listening = once(this.#server.listen(metricsPort ?? 0, host), 'listening')
    await listening.catch((error: unknown) => {
      throw new StartError(`Cannot serve metrics on ${host}:${metricsPort}: ${explainError(error)}.`, { cause: error })
    })
    this.#loopDelay.enable()
    return (this.#server.address() as AddressInfo).port
  }

  async #answer({ method, url, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isRebindable(headers.host)) {
      response.writeHead(421).end('Ask by IP address, or by a name without a dot.\n')
      return
    }
    if (method !== 'GET' || url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    try {
      const text = await this.#registry.metrics()
      response.writeHead(200, { 'content-type': this.#registry.contentType }).end(text)
    } catch (error) {
      this.#platform.log.warn({ err: error }, 'metrics could not be read')
      response.writeHead(503).end()
    }
  }

  async close(): Promise<void> {
    this.#loopDelay.disable()
    this.#server.closeAllConnections()
    await this.#server[Symbol.asyncDispose]()
  }
}
