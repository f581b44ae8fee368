import { readFileSync } from 'node:fs'
import type { WorkPay } from '../../platform/config.ts'
import { type Config, defaultConfig, roles } from '../../platform/config.ts'
import { reasonOf, StartError } from '../../platform/start-error.ts'
import { readRates } from './read-rates.ts'

type Environment = Readonly<Record<string, string | undefined>>
/** Flags of `serve`; each overrides its environment variable. */
export type ServeFlags = {
  port?: string | undefined
  host?: string | undefined
  data?: string | undefined
  model?: string | undefined
  remote?: string | undefined
  'remote-sandbox'?: string | undefined
}

function readPort(text: string, name: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new StartError(`${name} must be a number from 0 to 65535, not "${text}".`)
}

function readUrl(text: string | undefined, name: string): URL | null {
  if (text === undefined || text === '') return null
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new StartError(`${name} must be an http(s) address, not "${text}".`)
}

/** Keys must not cross a network unencrypted. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

function readRemoteUrl(text: string | undefined, name: string): URL | null {
  const url = readUrl(text, name)
  if (url === null) return null
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  if (isSafe(url) && url.pathname.endsWith('/v1/') && url.search === '' && url.username === '') return url
  throw new StartError(`${name} must be the base address of a service, https://…/v1/, not "${text}".`)
}

function readRemote(flags: ServeFlags, env: Environment): Config['remote'] {
  const live = readRemoteUrl(flags.remote ?? env.REMOTE, '--remote')
  const sandbox = readRemoteUrl(flags['remote-sandbox'] ?? env.REMOTE_SANDBOX, '--remote-sandbox')
  if (live !== null) return { live, sandbox }
  if (sandbox === null) return null
  throw new StartError('--remote-sandbox requires --remote.')
}

/** `a, b` gives `['a', 'b']`. */
function readList(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function readTls(env: Environment): Config['tls'] {
  const { TLS_CERT: certPath, TLS_KEY: keyPath } = env
  if (!certPath && !keyPath) return null
  if (certPath && keyPath) return { certPath, keyPath }
  throw new StartError('TLS_CERT and TLS_KEY must both be set; one of them is missing.')
}

function readRecogniser(text: string | undefined): Config['recogniser'] {
  const known = ['auto', 'sherpa', 'http', 'pocketsphinx'] as const
  const found = known.find((name) => name === (text || defaultConfig.recogniser))
  if (found !== undefined) return found
  throw new StartError(`RECOGNISER must be one of ${known.join(', ')}, not "${text}".`)
}

/** What is embedded is one process: nobody else could do the rest. */
function readRole(text: string | undefined, hasPostgres: boolean): Config['role'] {
  const role = roles.find((name) => name === (text || defaultConfig.role))
  if (role === undefined) throw new StartError(`PARLEY_ROLE must be one of ${roles.join(', ')}, not "${text}".`)
  if (role === 'all' || hasPostgres) return role
  throw new StartError(`PARLEY_ROLE=${role} needs DATABASE_URL: with the embedded database one process does all.`)
}

/** Beside a directory of recordings what is made is moved into place: it cannot be elsewhere. */
function readScratch({ SCRATCH_DIR: path, BLOBS }: Environment): string | null {
  if (path && !BLOBS) throw new StartError('SCRATCH_DIR needs BLOBS: what is made is moved into the data directory.')
  return path || null
}

function readSpeed(text: string | undefined): number {
  const speed = text ? Number(text) : defaultConfig.typingPoolSpeed
  if (speed > 0 && Number.isFinite(speed)) return speed
  throw new StartError(`TYPING_POOL_SPEED must be a number above 0, not "${text}".`)
}

function readManualOrders(text: string | undefined): boolean {
  if (!text || text === 'on' || text === 'off') return text !== 'off'
  throw new StartError(`MANUAL_ORDERS must be on or off, not "${text}".`)
}

/** @throws StartError if it is not as `EUR type=0.80 review=0.30 check=0.15` */
function readPay(text: string | undefined): WorkPay | null {
  if (!text?.trim()) return null
  const [currency = '', ...amounts] = text.trim().split(/\s+/)
  const each = amounts.map((amount) => /^(type|review|check)=(\d{1,4}(?:\.\d{1,4})?)$/.exec(amount))
  const steps = new Set(each.map((one) => one?.[1]))
  if (/^[A-Z]{3}$/.test(currency) && each.length > 0 && !each.includes(null) && steps.size === each.length) {
    return { currency, perMinute: Object.fromEntries(each.map((one) => [one?.[1], Number(one?.[2])])) }
  }
  throw new StartError(`WORK_PAY must be as "EUR type=0.80 review=0.30 check=0.15", not "${text}".`)
}

function readParallel(text: string | undefined): number {
  const parallel = text ? Number(text) : defaultConfig.workerParallel
  if (Number.isInteger(parallel) && parallel >= 1 && parallel <= 256) return parallel
  throw new StartError(`WORKER_PARALLEL must be a number from 1 to 256, not "${text}".`)
}

function readEmail(text: string | undefined): string | null {
  if (!text) return null
  if (/^[^\s@<>"?&]+@[^\s@<>"?&]+\.[^\s@<>"?&.]+$/.test(text)) return text
  throw new StartError(`SUPPORT_EMAIL must be an e-mail address, not "${text}".`)
}

/** The value of a variable, or the content of the file that `…_FILE` names, as secrets are given to containers. */
function readSecret(env: Environment, name: string): string | undefined {
  const path = env[`${name}_FILE`]
  if (env[name] || !path) return env[name]
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new StartError(`${name}_FILE cannot be read: ${reasonOf(error)}.`, { cause: error })
  }
}

const defaultPool = 10

function readPostgres(env: Environment): Config['postgres'] {
  const url = readSecret(env, 'DATABASE_URL')
  if (!url) return null
  if (!/^postgres(ql)?:\/\//.test(url)) throw new StartError('DATABASE_URL must begin with postgres://.')
  const poolText = readSecret(env, 'DATABASE_POOL')
  const pool = poolText ? Number(poolText) : defaultPool
  if (!Number.isInteger(pool) || pool < 1 || pool > 1_000) {
    throw new StartError(`DATABASE_POOL must be a number from 1 to 1000, not "${poolText}".`)
  }
  return { url, directUrl: readSecret(env, 'DATABASE_DIRECT_URL') || url, pool }
}

const defaultRegion = 'us-east-1'

/** `s3://bucket/prefix` */
function readS3(env: Environment, hasPostgres: boolean): Config['s3'] {
  if (!env.BLOBS) return null
  const { protocol, hostname: bucket, pathname } = URL.parse(env.BLOBS) ?? {}
  if (protocol !== 's3:' || !bucket) throw new StartError(`BLOBS must be s3://bucket/prefix, not "${env.BLOBS}".`)
  if (!hasPostgres)
    throw new StartError('BLOBS needs DATABASE_URL: the embedded database keeps its recordings beside it.')
  const folder = decodeURIComponent(pathname ?? '').replace(/^\/+|\/+$/g, '')
  return {
    bucket,
    prefix: folder === '' ? '' : `${folder}/`,
    endpoint: readUrl(env.S3_ENDPOINT, 'S3_ENDPOINT'),
    region: env.S3_REGION || env.AWS_REGION || defaultRegion,
    isPathStyle: env.S3_PATH_STYLE === '1' || env.S3_PATH_STYLE === 'true',
  }
}

/** The configuration that flags and environment ask for. @throws StartError naming what is wrong */
export function readConfig(flags: ServeFlags, env: Environment): Config {
  const postgres = readPostgres(env)
  return {
    ...defaultConfig,
    host: flags.host ?? (env.HOST || defaultConfig.host),
    port: readPort(flags.port ?? (env.PORT || String(defaultConfig.port)), 'The port'),
    dataDir: flags.data ?? (env.DATA_DIR || defaultConfig.dataDir),
    role: readRole(env.PARLEY_ROLE, postgres !== null),
    scratchDir: readScratch(env),
    postgres,
    s3: readS3(env, postgres !== null),
    publicUrl: readUrl(env.PUBLIC_URL, 'PUBLIC_URL'),
    remote: readRemote(flags, env),
    tls: readTls(env),
    allowTargets: readList(env.ALLOW_TARGETS),
    allowOrigins: readList(env.ALLOW_ORIGINS),
    recogniser: readRecogniser(env.RECOGNISER),
    recogniserUrl: readUrl(env.RECOGNISER_URL, 'RECOGNISER_URL'),
    recogniserKey: env.RECOGNISER_KEY || null,
    recogniserModel: (flags.model ?? env.RECOGNISER_MODEL) || null,
    modelDir: env.MODEL_DIR || null,
    modelUrl: readUrl(env.MODEL_URL, 'MODEL_URL'),
    offline: env.OFFLINE === '1' || env.OFFLINE === 'true',
    supportEmail: readEmail(env.SUPPORT_EMAIL),
    seller: env.SELLER?.trim() || null,
    rates: readRates(env.RATES_FILE),
    paymentUrl: readUrl(env.PAYMENT_URL, 'PAYMENT_URL'),
    manualOrders: readManualOrders(env.MANUAL_ORDERS),
    workPay: readPay(env.WORK_PAY),
    typingPoolSpeed: readSpeed(env.TYPING_POOL_SPEED),
    workerParallel: readParallel(env.WORKER_PARALLEL),
    metricsPort: env.METRICS_PORT ? readPort(env.METRICS_PORT, 'METRICS_PORT') : null,
    metricsHost: env.METRICS_HOST || defaultConfig.metricsHost,
    logLevel: env.LOG_LEVEL || defaultConfig.logLevel,
  }
}

/**
 * The configuration with another place for the data: what `restore --into` names, and nothing of what the environment
 * does. Without a directory the data directory stays.
 * @param targets `postgres://…`, `s3://…` or a directory; each kind once
 * @throws StartError as `readConfig`, or if a kind is there twice
 */
export function readTarget(flags: ServeFlags, env: Environment, targets: readonly string[]): Config {
  const kindOf = (target: string) => /^(postgres|s3)(?:ql)?:\/\//.exec(target)?.[1] ?? 'directory'
  const byKind = Object.groupBy(targets, kindOf)
  if (Object.values(byKind).some((those) => those?.length !== 1)) {
    throw new StartError('--into takes one database, and one bucket or directory.')
  }
  const { DATABASE_URL_FILE: _file, DATABASE_DIRECT_URL: _direct, ...rest } = env
  const [DATABASE_URL, BLOBS] = [byKind.postgres?.[0], byKind.s3?.[0]]
  return readConfig({ ...flags, data: byKind.directory?.[0] ?? flags.data }, { ...rest, DATABASE_URL, BLOBS })
}
