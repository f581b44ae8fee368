import { dayMs } from '../../../src/contract/common/durations.ts'
import type { OrderOptions } from '../../../src/contract/interface/option-values.ts'
import { specDefaultOptions } from '../../../src/contract/interface/option-values.ts'
import { type DatedRates, defaultRates, priceBeyond, type Rates } from '../../../src/contract/interface/price.ts'

/** Free minutes of an account in a month. */
export const freeMinutes = 3

/** Other prices for each day (UTC), up and down, from one before `now` on. */
export function datedPrices(now: number, days: number): DatedRates[] {
  const first = Math.floor(now / dayMs) - 1
  return Array.from({ length: days }, (_, index) => ({
    from: new Date((first + index) * dayMs).toISOString().slice(0, 10),
    rates: { ...defaultRates, automated: 5 + ((index * 7) % 16), manual: 60 + ((index * 37) % 141) },
  }))
}

/** Of prices in order of their days, those that held at any moment from one time to another. */
export function pricesBetween(all: readonly DatedRates[], from: number, to: number): Rates[] {
  const begins = (one: DatedRates | undefined) => (one?.from == null ? Number.POSITIVE_INFINITY : Date.parse(one.from))
  return all.filter((one, index) => begins(one) <= to && begins(all[index + 1]) > from).map(({ rates }) => rates)
}

export const optionsOf = (isAutomated: boolean): OrderOptions => ({
  ...specDefaultOptions,
  transcript_type: isAutomated ? 'automated' : 'manual',
})

/** What a recording of some length costs at each of some prices, in cents. */
export const totals = (some: readonly Rates[], isAutomated: boolean, ms: number, discount: number, freeMs = 0) =>
  some.map((rates) => priceBeyond(freeMs, rates, optionsOf(isAutomated), ms, discount).totalCents)
