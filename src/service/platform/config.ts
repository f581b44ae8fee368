import { availableParallelism } from 'node:os'
import type * as z from 'zod/mini'
import { defaultRates } from '../../contract/interface/price.ts'
import type { PostgresConfig } from './db/postgres/postgres-config.ts'
import type { S3Config } from './media/s3/bucket.ts'
import type { StripeConfig } from './payment-provider.ts'
import * as is from './setting-readers.ts'
import { StartError } from './start-error.ts'

/** The roles of a process: `api` serves requests, `worker` does the background work. */
const roles = ['all', 'api', 'worker'] as const

type More = {
  /** a flag of `serve`, which takes precedence */
  flag?: string
  /** another program's variable, read if this one is not set */
  orEnv?: string
  /** `…_FILE` may name a file that holds it, as containers receive secrets; errors do not show its value */
  hasFile?: true
  /** the default in docs/operating.md, if not evident from its value */
  shown?: string
}
export type Setting = readonly [env: string, reader: is.Reader, standard: unknown, doc: string, more?: More]

/**
 * Everything configurable: the environment variable, its parser, the default, and its line in the table of
 * docs/operating.md, which is generated from here in this order.
 */
export const settings = {
  port: ['PORT', is.port, 4_600, 'the port that Parley listens on', { flag: 'port' }],
  host: ['HOST', is.text, '127.0.0.1', 'the address that it listens on', { flag: 'host' }],
  dataDir: ['DATA_DIR', is.text, './data', 'where it keeps everything', { flag: 'data' }],
  publicUrl: ['PUBLIC_URL', is.url, null, 'the address of customers, behind a proxy; `https:` redirects plain HTTP'],
  tlsCert: ['TLS_CERT', is.text, null, 'certificate file: HTTPS on the same port'],
  tlsKey: ['TLS_KEY', is.text, null, 'key file of the certificate'],
  remoteLive: ['REMOTE', is.serviceUrl, null, 'only the dashboard, before this service: see below', { flag: 'remote' }],
  remoteSandbox: ['REMOTE_SANDBOX', is.serviceUrl, null, 'base address of its sandbox', { flag: 'remote-sandbox' }],
  allowOrigins: ['ALLOW_ORIGINS', is.list, [], 'comma-separated origins whose pages may call the API'],
  allowTargets: ['ALLOW_TARGETS', is.list, [], 'for tests: `host:port, …` that links and webhooks may reach'],
  seller: ['SELLER', is.text, null, 'name, address and tax number of the seller, on one line: stands on receipts'],
  sellerVatNumber: ['SELLER_VAT_NUMBER', is.text, null, "the seller's VAT number, for invoices"],
  vatPercent: ['VAT_PERCENT', is.percent, 0, 'the VAT that prices include, in percent: [invoices](#invoices)'],
  invoicePrefix: [
    'INVOICE_PREFIX',
    is.invoicePrefix,
    null,
    'how numbers of invoices begin, such as `PAR-2026-`; without it none are written',
  ],
  ledgerYears: [
    'LEDGER_YEARS',
    is.numberTo(100),
    10,
    'how many years charges and refunds of erased accounts are kept, without names',
  ],
  supportEmail: ['SUPPORT_EMAIL', is.email, null, 'where customers get help: stands in 500 answers, OpenAPI, settings'],
  rates: [
    'RATES_FILE',
    is.rates,
    { USD: [{ from: null, rates: defaultRates }] },
    'what a minute costs, and from when on; see below',
    { shown: 'dollars' },
  ],
  freeMinutes: [
    'FREE_MINUTES',
    is.numberTo(1_000_000, 0),
    0,
    'automated minutes of an account that cost nothing, each month',
  ],
  stripeKey: [
    'STRIPE_SECRET_KEY',
    is.stripeKey,
    null,
    'live accounts pay by Stripe instead of test cards: [Stripe](#stripe)',
    { hasFile: true },
  ],
  stripeWebhookSecret: [
    'STRIPE_WEBHOOK_SECRET',
    is.stripeWebhookSecret,
    null,
    'verifies what Stripe tells of disputes and the like',
    { hasFile: true },
  ],
  stripeTestMode: ['STRIPE_TEST_MODE', is.yes, false, "`1`: the key is of Stripe's test mode, which moves no money"],
  stripeUrl: ['STRIPE_URL', is.ownUrl, null, 'for tests: a stand-in for Stripe on this machine'],
  demoBytes: ['DEMO_BYTES', is.numberTo(1e15), 1_000_000_000, 'how many bytes of recordings a demo account may store'],
  sandboxSparePercent: [
    'SANDBOX_SPARE_PERCENT',
    is.numberTo(90),
    5,
    'the part of the disk that sandbox orders leave free for live ones, in percent',
  ],
  drawHours: [
    'DRAW_HOURS',
    is.numberTo(24),
    6,
    'the longest videos whose pictures are drawn on, made small and searched for shots, in hours',
  ],
  sandboxDrawMinutes: ['SANDBOX_DRAW_MINUTES', is.numberTo(1_440), 15, 'the same in the sandbox, in minutes'],
  workerParallel: [
    'WORKER_PARALLEL',
    is.numberTo(256),
    availableParallelism(),
    'how many sections of recordings this process hears at once; more if a server hears them',
    { shown: 'the cores' },
  ],
  recognizer: [
    'RECOGNIZER',
    is.oneOf(['auto', 'sherpa', 'http', 'pocketsphinx']),
    'auto',
    '`auto`, `sherpa`, `http` or `pocketsphinx` ([recognition](recognition.md))',
  ],
  recognizerUrl: ['RECOGNIZER_URL', is.url, null, 'an OpenAI-compatible server for `RECOGNIZER=http`'],
  recognizerKey: ['RECOGNIZER_KEY', is.text, null, 'the key for that server'],
  recognizerModel: ['RECOGNIZER_MODEL', is.text, null, 'its model; here `accurate`, a larger one', { flag: 'model' }],
  modelDir: ['MODEL_DIR', is.text, null, 'a folder that holds a model'],
  modelUrl: [
    'MODEL_URL',
    is.mirrors,
    null,
    'mirrors that serve `<model>/<file>`, the preferred one first; `origin` is where models come from without it',
  ],
  offline: ['OFFLINE', is.yes, false, '`1` or `true`: never download a model'],
  manualOrders: ['MANUAL_ORDERS', is.onOff, true, '`off`: no manual orders; see below'],
  workPay: ['WORK_PAY', is.pay, null, 'pay of the staff for a minute of sound, by step; see below'],
  houseStyle: [
    'HOUSE_STYLE_FILE',
    is.textFile,
    '',
    'what staff read beside the text: a Markdown file on how numbers, `[crosstalk]` and the like are written',
    { shown: 'none' },
  ],
  workCheck: [
    'WORK_CHECK',
    is.oneOf(['other', 'always-other', 'anyone']),
    'other',
    'which of the staff may check an order that they reviewed in: nobody while there are others (`other`), nobody ever (`always-other`), `anyone`',
  ],
  typingPoolSpeed: ['TYPING_POOL_SPEED', is.factor, 1, "how many times faster the sandbox's simulated staff works"],
  databaseUrl: ['DATABASE_URL', is.postgresUrl, null, 'PostgreSQL: [several nodes](#several-nodes)', { hasFile: true }],
  databaseDirectUrl: [
    'DATABASE_DIRECT_URL',
    is.text,
    null,
    'the same without the pooler, if one is between in transaction mode: `LISTEN` needs a session',
    { hasFile: true, shown: '`DATABASE_URL`' },
  ],
  databasePool: [
    'DATABASE_POOL',
    is.numberTo(1_000),
    10,
    'connections of each node; one more listens. All nodes together stay below `max_connections`',
    { hasFile: true },
  ],
  blobs: ['BLOBS', is.bucket, null, '`s3://bucket/prefix` for recordings: [a bucket](#recordings-in-a-bucket)'],
  s3Endpoint: ['S3_ENDPOINT', is.url, null, "the address of the bucket's server", { shown: "Amazon's" }],
  s3Region: ['S3_REGION', is.text, 'us-east-1', 'or `AWS_REGION`', { orEnv: 'AWS_REGION' }],
  s3PathStyle: ['S3_PATH_STYLE', is.yes, false, '`1`: the bucket in the path, as most servers of your own want it'],
  role: ['PARLEY_ROLE', is.oneOf(roles), 'all', '`api` or `worker`, with PostgreSQL: [roles](#roles)'],
  scratchDir: [
    'SCRATCH_DIR',
    is.text,
    null,
    'with a bucket: temporary files of this process (pieces of sound, videos in the making)',
    { shown: '`scratch` in the data directory' },
  ],
  metricsPort: ['METRICS_PORT', is.port, null, 'serves `GET /metrics` (Prometheus)'],
  metricsHost: ['METRICS_HOST', is.text, '127.0.0.1', 'the address that metrics are served on'],
  logLevel: ['LOG_LEVEL', is.text, 'info', 'JSON lines on standard error; `debug` also logs successful reads'],
} as const satisfies Readonly<Record<string, Setting>>

type Table = typeof settings
/** A reader's result, or null if that is the default. A default of another type fails to compile where it is used. */
type ValueOf<Value, Standard> = Standard extends Value ? Value : Standard extends null ? Value | null : never
/** The value of each setting. */
export type SettingValues = {
  -readonly [Name in keyof Table]: ValueOf<z.output<Table[Name][1]['schema']>, Table[Name][2]>
}
/** Who may check an order that they reviewed in. */
export type Checkers = SettingValues['workCheck']
export type Config = ReturnType<typeof composeConfig>

type StripeValues = Pick<SettingValues, 'stripeKey' | 'stripeWebhookSecret' | 'stripeTestMode' | 'stripeUrl'>

/** Money of the test mode is none: neither mode is ever taken for the other (decision 134). */
function requireStripe(values: StripeValues): [isMet: boolean, message: string][] {
  const { stripeKey: key, stripeWebhookSecret, stripeTestMode, stripeUrl } = values
  const isTest = key?.includes('_test_') ?? stripeTestMode
  return [
    [key !== null || stripeWebhookSecret === null, 'STRIPE_WEBHOOK_SECRET needs STRIPE_SECRET_KEY.'],
    [
      !isTest || stripeTestMode,
      "STRIPE_SECRET_KEY is of Stripe's test mode, in which nobody pays. If that is meant, set STRIPE_TEST_MODE=1.",
    ],
    [isTest || !stripeTestMode, 'STRIPE_TEST_MODE is set, but STRIPE_SECRET_KEY is of the live mode and takes money.'],
    [stripeUrl === null || stripeTestMode, 'STRIPE_URL is for tests: it needs STRIPE_TEST_MODE=1.'],
  ]
}

function toStripe({ stripeKey: key, stripeWebhookSecret, stripeTestMode, stripeUrl }: StripeValues) {
  const config: StripeConfig | null =
    key === null ? null : { key, webhookSecret: stripeWebhookSecret, isTest: stripeTestMode, url: stripeUrl }
  return config
}

/** Combines values that span several variables. @throws StartError if one is set without another it needs */
export function composeConfig(values: SettingValues) {
  const { databaseUrl, databaseDirectUrl, databasePool, blobs, s3Endpoint, s3Region, s3PathStyle, ...others } = values
  const { remoteLive, remoteSandbox, tlsCert, tlsKey, ...more } = others
  const { stripeKey, stripeWebhookSecret, stripeTestMode, stripeUrl, ...single } = more
  const { role, scratchDir, seller, sellerVatNumber, vatPercent, invoicePrefix } = single
  const hasPostgres = databaseUrl !== null
  const requirements: [isMet: boolean, message: string][] = [
    [
      role === 'all' || hasPostgres,
      `PARLEY_ROLE=${role} needs DATABASE_URL: with the embedded database one process does all.`,
    ],
    [blobs === null || hasPostgres, 'BLOBS needs DATABASE_URL: the embedded database keeps its recordings beside it.'],
    // A file prepared next to a recordings directory is moved into place, so it cannot be elsewhere.
    [scratchDir === null || blobs !== null, 'SCRATCH_DIR needs BLOBS: what is made is moved into the data directory.'],
    [(tlsCert === null) === (tlsKey === null), 'TLS_CERT and TLS_KEY must both be set; one of them is missing.'],
    [
      invoicePrefix === null || seller !== null,
      'INVOICE_PREFIX needs SELLER: an invoice has the name and address of the seller.',
    ],
    [vatPercent === 0 || sellerVatNumber !== null, 'VAT_PERCENT needs SELLER_VAT_NUMBER.'],
    ...requireStripe({ stripeKey, stripeWebhookSecret, stripeTestMode, stripeUrl }),
    [remoteSandbox === null || remoteLive !== null, '--remote-sandbox requires --remote.'],
  ]
  for (const [isMet, message] of requirements) if (!isMet) throw new StartError(message)
  const postgres: PostgresConfig | null =
    databaseUrl === null ? null : { url: databaseUrl, directUrl: databaseDirectUrl ?? databaseUrl, pool: databasePool }
  const s3: S3Config | null =
    blobs === null ? null : { ...blobs, endpoint: s3Endpoint, region: s3Region, isPathStyle: s3PathStyle }
  return {
    ...single,
    postgres,
    s3,
    stripe: toStripe({ stripeKey, stripeWebhookSecret, stripeTestMode, stripeUrl }),
    remote: remoteLive === null ? null : { live: remoteLive, sandbox: remoteSandbox },
    tls: tlsCert === null || tlsKey === null ? null : { certPath: tlsCert, keyPath: tlsKey },
    /** a request is aborted after its body has sent nothing for this long (decision 16) */
    silentBodyMs: 60_000,
    /** captions are drawn on this much of a recording at a time; then it is the turn of another account */
    drawnSliceMs: 300_000,
    /** a request for a captioned video waits this long for it before it is answered 202 */
    waitsForVideoMs: 20_000,
    /** on shutdown of one of several nodes, `/readyz` answers 503 for this long before anything else ends */
    leavesForMs: 5_000,
    /** on shutdown, requests in progress may take this long; then they are refused, and soon after aborted */
    graceMs: 15_000,
  }
}

/** The configuration of `npm start` without any settings. */
export const defaultConfig: Config = composeConfig(readSettings(() => undefined))

/**
 * Reads every setting.
 * @param textOf the text given for one; undefined: its default
 * @throws StartError if one cannot be read
 */
export function readSettings(textOf: (setting: Setting) => string | undefined): SettingValues {
  const values = Object.entries(settings as Readonly<Record<string, Setting>>).map(([name, setting]) => {
    const [env, { schema, must }, standard, , { flag, hasFile } = {}] = setting
    const text = textOf(setting)
    if (text === undefined) return [name, standard]
    const { success, data } = schema.safeParse(text)
    if (success) return [name, data]
    const called = flag === undefined ? env : `${env} (--${flag})`
    throw new StartError(`${called} must ${must}${hasFile ? '' : `, not "${text}"`}.`)
  })
  return Object.fromEntries(values)
}
