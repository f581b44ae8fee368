import * as z from 'zod/mini'
import { optionTable, typeCents } from './option-table.ts'
import { type ChargedOption, isChargedOption, type OrderOptions, optionNames } from './option-values.ts'

type Type = OrderOptions['transcript_type']
type Rate = Type | ChargedOption

const chargedOptions = optionNames.filter(isChargedOption)
const chargedCents = Object.fromEntries(chargedOptions.map((name) => [name, optionTable[name].cents]))

/**
 * Rates per minute, in whole cents of the account's currency: of each type, and the surcharge of each charged option.
 * Apply unless the operator sets others (`RATES_FILE`); clients read them with the account.
 */
export const defaultRates = { ...typeCents, ...chargedCents } as Rates
export type Rates = Record<Rate, number>

const rateShape = Object.fromEntries(Object.keys(defaultRates).map((name) => [name, z.int()]))
export const rates = z.object(rateShape as Record<Rate, ReturnType<typeof z.int>>)

/** Rates with the day (UTC) from which they hold. */
export const datedRates = z.object({
  /** `2027-01-01`; null: from the beginning */
  from: z.nullable(z.string()),
  rates,
})
export type DatedRates = z.infer<typeof datedRates>

/** Of rates in order of their days, those that hold at a time, and those that follow; undefined: there are none. */
export function ratesAt(all: readonly DatedRates[], now: number): { now?: DatedRates; next?: DatedRates } {
  const holds = ({ from }: DatedRates) => from === null || Date.parse(from) <= now
  const [current, next] = [all.findLast(holds), all.find((one) => !holds(one))]
  return { ...(current && { now: current }), ...(next && { next }) }
}

export type Price = { costCents: number; discountCents: number; totalCents: number }

/** Cents per minute for an order with these options (spec 2.3, rule 3: some options are charged). */
export function centsPerMinute(table: Rates, options: OrderOptions): number {
  if (options.transcript_type === 'automated') return table.automated
  return chargedOptions
    .filter((name) => options[name] === 'on')
    .reduce((cents, name) => cents + table[name], table[options.transcript_type])
}

/**
 * Price of a recording, pro rata by time, each amount half up to the cent.
 * @param durationMs length in whole milliseconds
 * @param discountPercent whole or fractional percentage of the account, 0 to 100, at most two decimals
 */
export function calculatePrice(
  table: Rates,
  options: OrderOptions,
  durationMs: number,
  discountPercent: number,
): Price {
  const costCents = divideHalfUp(centsPerMinute(table, options) * durationMs, 60_000)
  const discountCents = divideHalfUp(costCents * Math.round(discountPercent * 100), 10_000)
  return { costCents, discountCents, totalCents: costCents - discountCents }
}

/** The same where the first milliseconds are free: they are part of the discount. */
export function priceBeyond(freeMs: number, ...of: Parameters<typeof calculatePrice>): Price {
  const [table, options, durationMs, discountPercent] = of
  const { costCents } = calculatePrice(...of)
  const paidMs = Math.max(0, durationMs - freeMs)
  const { totalCents } = calculatePrice(table, options, paidMs, discountPercent)
  return { costCents, discountCents: costCents - totalCents, totalCents }
}

/** `1234` gives `'12.34'`, the form of the metadata's decimal strings. */
export function centsToDecimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** `'12.34'` or `12.34` gives `1234`; NaN if the text is not an amount. */
export function decimalToCents(value: string | number): number {
  return Math.round(Number(value) * 100)
}

/** `numerator / denominator` rounded to the nearest whole number, halves up; both whole and not negative. */
export function divideHalfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator))
}
