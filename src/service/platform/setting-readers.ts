import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { type DatedRates, type Rates, rates as rateTable } from '../../contract/interface/price.ts'
import type { WorkStep } from '../../contract/work/staff.ts'
import { explainError, StartError } from './start-error.ts'

/** How the text of a setting is parsed; one that the schema rejects "must …". */
export type Reader<Value = unknown> = { schema: z.ZodMiniType<Value, string>; must: string }

/** The operator's pay for staff: an amount of `currency` (ISO 4217) per minute of audio, by step. */
export type WorkPay = { currency: string; perMinute: Readonly<Partial<Record<WorkStep, number>>> }

/** @param read null: rejected */
function readBy<Value>(must: string, read: (text: string) => Value | null): Reader<Value> {
  const transform = z.transform((given: string, { issues }): Value => {
    const value = read(given)
    if (value === null) issues.push({ code: 'custom', input: given })
    return value ?? z.NEVER
  })
  return { must, schema: z.pipe(z.string(), transform) }
}

function readByPattern(must: string, pattern: RegExp): Reader<string> {
  return { must, schema: z.string().check(z.regex(pattern)) }
}

function parseHttp(given: string): URL | null {
  const parsed = URL.parse(given)
  return parsed?.protocol === 'http:' || parsed?.protocol === 'https:' ? parsed : null
}

const isOwn = ({ hostname }: URL) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/** Keys must not cross a network unencrypted. */
const isSafe = (url: URL) => url.protocol === 'https:' || isOwn(url)

export const text: Reader<string> = { must: 'be a text', schema: z.string() }
export const yes = readBy('be 1, true, 0 or false', (given) =>
  /^(1|true)$/.test(given) ? true : /^(0|false)$/.test(given) ? false : null,
)
export const onOff = readBy('be on or off', (given) => (given === 'on' ? true : given === 'off' ? false : null))
/** `a, b` gives `['a', 'b']`. */
export const list = readBy('be a list', (given): readonly string[] =>
  given.split(',').flatMap((item) => item.trim() || []),
)
export const url = readBy('be an http(s) address', parseHttp)
/** Addresses in an order of preference; `origin` stands for the place that a file comes from. */
export const mirrors = readBy('be http(s) addresses or `origin`, separated by commas', (given) => {
  const all = given.split(',').map((one) => (one.trim() === 'origin' ? 'origin' : parseHttp(one.trim())))
  return all.includes(null) ? null : (all as readonly (URL | 'origin')[])
})
/** An address of this machine. */
export const ownUrl = readBy('be an http address of this machine, http://127.0.0.1:…', (given) => {
  const parsed = parseHttp(given)
  return parsed?.protocol === 'http:' && isOwn(parsed) ? parsed : null
})
export const stripeKey = readByPattern(
  "be a secret or restricted key of Stripe, sk_live_… or rk_live_… (pk_… is the page's)",
  /^(sk|rk)_(live|test)_\w{8,250}$/,
)
export const stripeWebhookSecret = readByPattern(
  'be the signing secret of a webhook at Stripe, whsec_…',
  /^whsec_\S{8,250}$/,
)
export const email = readByPattern('be an e-mail address', /^[^\s@<>"?&]+@[^\s@<>"?&]+\.[^\s@<>"?&.]+$/)
export const postgresUrl = readByPattern('begin with postgres://', /^postgres(ql)?:\/\//)

export const port = readBy('be a number from 0 to 65535', (given) =>
  /^\d{1,5}$/.test(given) && Number(given) <= 65_535 ? Number(given) : null,
)
export const factor = readBy('be a number above 0', (given) =>
  Number(given) > 0 && Number.isFinite(Number(given)) ? Number(given) : null,
)

/** A rate with at most two decimals. */
export const percent = readBy('be a percentage below 100 with at most two decimals', (given) =>
  /^\d{1,2}(\.\d{1,2})?$/.test(given) ? Number(given) : null,
)
export const invoicePrefix = readByPattern(
  'be up to 20 letters, digits and dashes, and end with a dash, such as PAR-2026-',
  /^[A-Za-z0-9][A-Za-z0-9-]{0,18}-$/,
)

export function numberTo(maximum: number, least = 1): Reader<number> {
  const isInRange = (number: number) => Number.isInteger(number) && number >= least && number <= maximum
  return readBy(`be a number from ${least} to ${maximum}`, (given) => (isInRange(Number(given)) ? Number(given) : null))
}

export function oneOf<const Name extends string>(names: readonly Name[]): Reader<Name> {
  return readBy(`be one of ${names.join(', ')}`, (given) => names.find((name) => name === given) ?? null)
}

export const serviceUrl = readBy('be the base address of a service, https://…/v1/', (given) => {
  const base = parseHttp(given)
  if (base === null) return null
  if (!base.pathname.endsWith('/')) base.pathname += '/'
  return isSafe(base) && base.pathname.endsWith('/v1/') && base.search === '' && base.username === '' ? base : null
})

/** A prefix is empty or ends in `/`. */
export const bucket = readBy('be s3://bucket/prefix', (given) => {
  const { protocol, hostname, pathname = '' } = URL.parse(given) ?? {}
  if (protocol !== 's3:' || !hostname) return null
  const folder = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '')
  return { bucket: hostname, prefix: folder === '' ? '' : `${folder}/` }
})

export const pay = readBy('be as "EUR type=0.80 review=0.30 check=0.15"', (given): WorkPay | null => {
  const [currency = '', ...amounts] = given.trim().split(/\s+/)
  const each = amounts.map((amount) => /^(type|review|check)=(\d{1,4}(?:\.\d{1,4})?)$/.exec(amount))
  const steps = new Set(each.map((one) => one?.[1]))
  if (!/^[A-Z]{3}$/.test(currency) || each.length === 0 || each.includes(null) || steps.size < each.length) return null
  return { currency, perMinute: Object.fromEntries(each.map((one) => [one?.[1], Number(one?.[2])])) }
})

/** Money is whole cents everywhere, so a currency has two decimals. */
function hasCents(currency: string): boolean {
  if (!Intl.supportedValuesOf('currency').includes(currency)) return false
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits === 2
}

const cents = z.int().check(z.minimum(0), z.maximum(1_000_000))
const rateNames = Object.keys(rateTable.shape)
const rateShape = Object.fromEntries(rateNames.map((name) => [name, cents]))
const currency = z.string().check(z.refine(hasCents, 'is no currency with two decimals, such as USD or EUR'))
/** Whether the calendar has that day: JavaScript takes February 30 for a day of March. */
export const isDay = (text: string) =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().slice(0, 10) === text
const day = z.string().check(z.refine(isDay, 'is no day such as 2027-01-01'))
const rateEntry = z.strictObject({ ...rateShape, from: z.optional(day) })
/** Each currency has rates, or a list of them in order of the days from which they hold. */
const rateFile = z.record(currency, z.unknown())

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `has an unknown "${issue.keys[0]}"`
  if (issue.code === 'custom') return issue.message ?? 'is wrong'
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? 'is no currency'
  return 'is missing or no whole number from 0 to 1000000'
}

/** The text of a small file. */
export const textFile = readBy('name a text file of at most 64 kB', (path) => {
  try {
    const text = readFileSync(path, 'utf8')
    return text.length <= 65_536 ? text : null
  } catch (error) {
    throw new StartError(`A file of the settings cannot be read: ${explainError(error)}.`, { cause: error })
  }
})

/** @throws StartError in one sentence */
function refuseRates(found: string): never {
  const form = rateNames.map((name) => `"${name}":…`)
  throw new StartError(`RATES_FILE has no rates of the form {"USD":{${form}}}, in whole cents a minute: ${found}.`)
}

/** Rates of one currency, in order. @throws StartError naming what is wrong, or the days that are out of order */
function readDated(name: string, given: unknown): DatedRates[] {
  const list = Array.isArray(given) ? given : [given]
  if (list.length === 0) refuseRates(`${name} is empty`)
  const dated = list.map((entry: unknown, index): DatedRates => {
    const { data, error } = rateEntry.safeParse(entry)
    const place = list.length > 1 ? `${name} ${index + 1}` : name
    const [issue] = error?.issues ?? []
    if (issue !== undefined) refuseRates(`${[place, ...issue.path, ''].join(' ')}${describeIssue(issue)}`)
    const { from = null, ...rates } = data as Rates & { from?: string }
    return { from, rates }
  })
  for (const [index, { from }] of dated.entries()) {
    const before = dated[index - 1]
    if (before === undefined) continue
    if (from === null) refuseRates(`${name} ${index + 1} has no "from", the day from which it holds`)
    if (before.from !== null && from <= before.from)
      refuseRates(`the days of ${name} are out of order: ${from} stands after ${before.from}`)
  }
  return dated
}

/**
 * A file of prices per minute: by currency, the cents of each type, and the surcharge of each option; or a list of these,
 * each with the day (UTC) from which it holds.
 */
export const rates = readBy('name a file of rates', (path): Readonly<Record<string, readonly DatedRates[]>> => {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new StartError(`RATES_FILE cannot be read: ${explainError(error)}.`, { cause: error })
  }
  const { data, error } = rateFile.safeParse(json)
  const [issue] = error?.issues ?? []
  if (issue !== undefined) refuseRates(`${[...issue.path, ''].join(' ')}${describeIssue(issue)}`)
  const entries = Object.entries(data ?? {})
  if (entries.length === 0) refuseRates('it is empty')
  return Object.fromEntries(entries.map(([name, given]) => [name, readDated(name, given)]))
})
