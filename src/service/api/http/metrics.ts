import { statfs } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import { leasesLost } from '../../platform/db/leases.ts'
import type { Platform } from '../../platform/platform.ts'

/** Upper bounds of the response time histogram, in seconds. */
const buckets = [0.005, 0.025, 0.1, 0.5, 2, 10, 60]

type Series = { help: string; type: 'counter' | 'gauge'; values: [labels: string, value: number][] }

/** Formats labels. Values are our own words and routes hold parameter names, so no ID or key ends up in a label. */
function labels(pairs: Record<string, string | number>): string {
  const text = Object.entries(pairs).map(([name, value]) => `${name}="${String(value).replaceAll(/[\\"\n]/g, '\\$&')}"`)
  return text.length === 0 ? '' : `{${text.join(',')}}`
}

type AnswerCount = { method: string; route: string; status: number; count: number }

/** In-memory counters of responses since startup. Every response is counted, so text is only rendered on scrape. */
export class Metrics {
  /** by route, method and status: three lookups are cheaper than building a composite key */
  readonly #answers = new Map<string, Map<string, Map<number, AnswerCount>>>()
  /** responses per bucket, not cumulative */
  readonly #times = buckets.map(() => 0)
  #seconds = 0
  #count = 0
  /** set by other modules, such as the number of open event streams */
  readonly gauges = new Map<string, { help: string; read: () => number }>()

  countAnswer(method: string, route: string, status: number, seconds: number): void {
    const known = this.#answers.get(route)?.get(method)?.get(status)
    if (known === undefined) this.#countFirst({ method, route, status, count: 1 })
    else known.count += 1
    this.#seconds += seconds
    this.#count += 1
    const bucket = buckets.findIndex((end) => seconds <= end)
    if (bucket >= 0) this.#times[bucket] = (this.#times[bucket] ?? 0) + 1
  }

  #countFirst(answer: AnswerCount): void {
    const { method, route, status } = answer
    const ofRoute = this.#answers.get(route) ?? new Map<string, Map<number, AnswerCount>>()
    const ofMethod = ofRoute.get(method) ?? new Map<number, AnswerCount>()
    this.#answers.set(route, ofRoute.set(method, ofMethod.set(status, answer)))
  }

  /** Renders response counts and times in Prometheus text format. */
  answers(): string {
    let within = 0
    const histogram = buckets.map((le, index) => {
      within += this.#times[index] ?? 0
      return `parley_http_answer_seconds_bucket${labels({ le })} ${within}`
    })
    const counts = [...this.#answers.values()].flatMap((ofRoute) => [...ofRoute.values()])
    return [
      '# HELP parley_http_answers_total Responses by method, route and status.',
      '# TYPE parley_http_answers_total counter',
      ...counts.flatMap((ofMethod) =>
        [...ofMethod.values()].map(({ count, ...told }) => `parley_http_answers_total${labels(told)} ${count}`),
      ),
      '# HELP parley_http_answer_seconds Time from request to response.',
      '# TYPE parley_http_answer_seconds histogram',
      ...histogram,
      `parley_http_answer_seconds_bucket${labels({ le: '+Inf' })} ${this.#count}`,
      `parley_http_answer_seconds_sum ${this.#seconds}`,
      `parley_http_answer_seconds_count ${this.#count}`,
      '',
    ].join('\n')
  }
}

/** Counts over the whole database, queried on each scrape: nodes that share one report the same. */
async function stored({ db, clock }: Platform): Promise<Record<string, Series>> {
  const count = async (query: string) => (await sql.raw<Record<string, string | number>>(query).execute(db)).rows
  const series = async (help: string, query: string): Promise<Series> => {
    const rows = await count(query)
    return { help, type: 'gauge', values: rows.map(({ n, ...pairs }) => [labels(pairs), Number(n)]) }
  }
  return {
    parley_files: await series(
      'Files by environment and state.',
      `select environment, case when progress_percent >= 100 then 'ready' when delay_reason is not null then 'delayed'
       else 'in progress' end as state, count(*) as n from files group by 1, 2`,
    ),
    parley_oldest_waiting_job_seconds: await series(
      'How long the job that waits longest has been due, by kind.',
      `select kind, (${Math.round(clock())} - min(run_after)) / 1000 as n from jobs
       where state = 'waiting' and run_after <= ${Math.round(clock())} group by 1`,
    ),
    parley_jobs: await series('Jobs by kind and state.', 'select kind, state, count(*) as n from jobs group by 1, 2'),
    parley_webhook_deliveries: await series(
      'Webhook deliveries by state.',
      'select state, count(*) as n from deliveries group by 1',
    ),
    parley_unfinished_uploads: await series(
      'Resumable uploads that are not orders yet.',
      'select count(*) as n from uploads where file_id is null',
    ),
  }
}

/** Free bytes on the disk used for decoding and, without a bucket, for storage. */
async function freeBytes({ scratchDir, dataDir }: Platform['config']): Promise<number> {
  const { bavail, bsize } = await statfs(scratchDir ?? dataDir)
  return bavail * bsize
}

function ofProcess(metrics: Metrics, loopDelaySeconds: number, diskBytes: number): Record<string, Series> {
  const gauge = (help: string, value: number): Series => ({ help, type: 'gauge', values: [['', value]] })
  const { rss, heapUsed } = process.memoryUsage()
  return {
    process_resident_memory_bytes: gauge('Resident memory in bytes.', rss),
    parley_heap_used_bytes: gauge('JavaScript heap in use, in bytes.', heapUsed),
    process_cpu_seconds_total: {
      help: 'Processor time used.',
      type: 'counter',
      values: [['', process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6]],
    },
    parley_leases_lost_total: {
      help: 'Work of this process that another has taken over since the start.',
      type: 'counter',
      values: [['', leasesLost()]],
    },
    parley_disk_free_bytes: gauge('Free bytes of the disk of SCRATCH_DIR, or of the data directory.', diskBytes),
    parley_uptime_seconds: gauge('Time since the start of the process.', process.uptime()),
    parley_event_loop_delay_seconds: gauge(
      '99th percentile of the event loop’s delay since the last scrape.',
      loopDelaySeconds,
    ),
    ...Object.fromEntries([...metrics.gauges].map(([name, { help, read }]) => [name, gauge(help, read())])),
  }
}

function text(series: Record<string, Series>): string {
  return Object.entries(series)
    .flatMap(([name, { help, type, values }]) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...values.map(([key, value]) => `${name}${key} ${value}`),
    ])
    .concat('')
    .join('\n')
}

/**
 * Serves `GET /metrics` in Prometheus text format on a separate port, on loopback by default, since it is for operators
 * only.
 * @returns the port, and a function that closes it
 */
export async function serveMetrics(
  platform: Platform,
  metrics: Metrics,
  port: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const server: Server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    const loopDelaySeconds = delay.percentile(99) / 1e9
    delay.reset()
    Promise.all([stored(platform), freeBytes(platform.config)]).then(
      ([series, diskBytes]) => {
        const body = metrics.answers() + text(series) + text(ofProcess(metrics, loopDelaySeconds, diskBytes))
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body)
      },
      (error: unknown) => {
        platform.log.warn({ err: error }, 'metrics could not be read')
        response.writeHead(503).end()
      },
    )
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, platform.config.metricsHost, resolve),
  )
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      delay.disable()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
