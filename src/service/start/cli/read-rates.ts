import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { rates } from '../../../contract/interface/price.ts'
import { type Config, defaultConfig } from '../../platform/config.ts'
import { reasonOf, StartError } from '../../platform/start-error.ts'

/** Money is whole cents everywhere, so a currency has two decimals. */
function hasCents(currency: string): boolean {
  if (!Intl.supportedValuesOf('currency').includes(currency)) return false
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits === 2
}

const cents = z.int().check(z.minimum(0), z.maximum(1_000_000))
const ratesFile = z.record(
  z.string().check(z.refine(hasCents, 'is no currency with two decimals, such as USD or EUR')),
  z.strictObject(Object.fromEntries(Object.keys(rates.shape).map((name) => [name, cents]))),
)

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new StartError(`RATES_FILE cannot be read: ${reasonOf(error)}.`, { cause: error })
  }
}

/**
 * What a minute costs, from `RATES_FILE`: for each currency the cents of each type, and what each charged option adds.
 * @throws StartError naming the first place that is wrong
 */
export function readRates(path: string | undefined): Config['rates'] {
  if (!path) return defaultConfig.rates
  const read = z.safeParse(ratesFile, readJson(path))
  if (read.success && Object.keys(read.data).length > 0) return read.data as Config['rates']
  const issue = read.error?.issues[0]
  const where = issue === undefined ? 'it is empty' : `${[...issue.path, ''].join(' ')}${describeIssue(issue)}`
  const example = JSON.stringify(defaultConfig.rates)
  throw new StartError(`RATES_FILE has no rates of the form ${example}, in whole cents a minute: ${where}.`)
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `has an unknown "${issue.keys[0]}"`
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? 'is no currency'
  return 'is missing or no whole number from 0 to 1000000'
}
