import { availableParallelism } from 'node:os'
import { defaultRates, type Rates } from '../../contract/interface/price.ts'
import type { WorkStep } from '../../contract/work/staff.ts'
import type { PostgresConfig } from './db/postgres/postgres-config.ts'
import type { S3Config } from './media/s3/s3-config.ts'

/** What a process does of the whole: `api` answers requests, `worker` does the work behind them. */
export const roles = ['all', 'api', 'worker'] as const

/** What the operator pays the staff: an amount of `currency` (ISO 4217) for a minute of sound, by step. */
export type WorkPay = { currency: string; perMinute: Readonly<Partial<Record<WorkStep, number>>> }

/** Everything that can be configured; read from flags and `process.env` in `main.ts` alone. */
export type Config = {
  host: string
  port: number
  dataDir: string
  role: (typeof roles)[number]
  /** where this process keeps what it needs for a moment, instead of the data directory */
  scratchDir: string | null
  /** PostgreSQL instead of the embedded database; several processes may share it, and then the data directory */
  postgres: PostgresConfig | null
  /** a bucket for recordings and transcripts instead of the data directory; with PostgreSQL alone */
  s3: S3Config | null
  /** the address customers use, where a reverse proxy is in front; with `https:` plain HTTP is redirected */
  publicUrl: URL | null
  /** run only the dashboard, in front of another service; each address ends in `/v1/` */
  remote: { live: URL; sandbox: URL | null } | null
  tls: { certPath: string; keyPath: string } | null
  /** exact `host:port` that links and webhooks may reach although it is not public; for tests (decision 8) */
  allowTargets: readonly string[]
  /** origins whose pages may call the API from a browser */
  allowOrigins: readonly string[]
  recogniser: 'auto' | 'sherpa' | 'http' | 'pocketsphinx'
  /** an OpenAI-compatible server for `recogniser: 'http'` */
  recogniserUrl: URL | null
  recogniserKey: string | null
  recogniserModel: string | null
  modelDir: string | null
  modelUrl: URL | null
  /** never download a model */
  offline: boolean
  /** where customers get help (spec 1, rule 6) */
  supportEmail: string | null
  /** name, address and tax number of who sells, for receipts */
  seller: string | null
  /** what a minute costs, by currency */
  rates: Readonly<Record<string, Rates>>
  /** an HTTP payment provider for live accounts instead of the ledger (decision 13) */
  paymentUrl: URL | null
  /** whether manual orders are taken at all (decision 105) */
  manualOrders: boolean
  /** what the staff is paid; null: nothing is said of that (decision 105) */
  workPay: WorkPay | null
  /** how many times faster than the wall clock the sandbox's simulated staff work (decision 112) */
  typingPoolSpeed: number
  /** how many sections of recordings this process hears at once */
  workerParallel: number
  metricsPort: number | null
  /** who may read metrics: loopback alone, unless told otherwise */
  metricsHost: string
  logLevel: string
  /** a request is cut off once its body has sent nothing for this long (decision 16) */
  silentBodyMs: number
  /** where nodes share a database: at the end, `/readyz` says no for so long before anything else ends */
  leavesForMs: number
  /** at the end, requests under way may take this long; then they are refused, and soon after cut off */
  graceMs: number
}

/** What `npm start` runs with if nothing is configured. */
export const defaultConfig: Config = {
  host: '127.0.0.1',
  port: 4600,
  dataDir: './data',
  role: 'all',
  scratchDir: null,
  postgres: null,
  s3: null,
  publicUrl: null,
  remote: null,
  tls: null,
  allowTargets: [],
  allowOrigins: [],
  recogniser: 'auto',
  recogniserUrl: null,
  recogniserKey: null,
  recogniserModel: null,
  modelDir: null,
  modelUrl: null,
  offline: false,
  supportEmail: null,
  seller: null,
  rates: { USD: defaultRates },
  paymentUrl: null,
  manualOrders: true,
  workPay: null,
  typingPoolSpeed: 1,
  workerParallel: availableParallelism(),
  metricsPort: null,
  metricsHost: '127.0.0.1',
  logLevel: 'info',
  silentBodyMs: 60_000,
  leavesForMs: 5_000,
  graceMs: 15_000,
}
