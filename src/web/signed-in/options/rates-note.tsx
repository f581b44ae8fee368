import type { AccountOverview } from '../../../contract/account/account.ts'
import { type Rates, ratesAt } from '../../../contract/interface/price.ts'
import { moneyText } from '../../base/ui/money.ts'
import { useDates } from '../preferences/preferred-dates.ts'

/** Since when the prices beside the types hold, and what follows; nothing if they have no day. */
export function RatesNote({ overview }: { overview: AccountOverview }) {
  const dates = useDates()
  const { rates_from: from, next_rates: next, currency } = overview
  if (!from && !next) return null
  // A page that was open over midnight has the prices of the day before: the service charges no more than it shows.
  const isOver = next != null && ratesAt([next], Date.now()).now !== undefined
  // The same day in every time zone.
  const day = (text: string) => dates.day(Date.parse(`${text}T12:00`))
  const minute = (each: Rates) =>
    `automated ${moneyText(each.automated, currency)}, manual ${moneyText(each.manual, currency)} a minute`
  return (
    <p className="text-xs text-ink-3 tabular-nums">
      {from && `Prices since ${day(from)}.`}
      {next?.from && !isOver && ` From ${day(next.from)}: ${minute(next.rates)}.`}
      {isOver && ' New prices hold since today: reload the page to see them.'}
    </p>
  )
}
