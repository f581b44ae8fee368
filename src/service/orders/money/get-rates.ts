import { centsToDecimal, type DatedRates, type Rates, ratesAt } from '../../../contract/interface/price.ts'
import { commandLine } from '../../platform/command-line.ts'
import type { Config } from '../../platform/config.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { StartError } from '../../platform/start-error.ts'

/**
 * The rates of a currency that hold now, with their day, and the next ones.
 * @throws ServiceError 503 if there are none
 */
export function getDatedRates({ config, clock }: Pick<Platform, 'config' | 'clock'>, currency: string) {
  const { now, next = null } = ratesAt(config.rates[currency] ?? [], clock())
  if (now !== undefined) return { now, next }
  throw new ServiceError(503, `This service has no prices in ${currency} at the moment. Nothing was charged.`)
}

/** Prices per minute in a currency now. @throws ServiceError 503 if there are none */
export function getRates(platform: Pick<Platform, 'config' | 'clock'>, currency: string): Rates {
  return getDatedRates(platform, currency).now.rates
}

/** @throws StartError if accounts pay in a currency without rates */
export function requireCurrencies(used: readonly string[], rates: Config['rates']): void {
  const missing = used.filter((currency) => rates[currency] === undefined).join(', ')
  if (missing !== '') {
    throw new StartError(
      `Accounts pay in ${missing}, which RATES_FILE has no rates for. Add them, as it may have several currencies, or for accounts \
that have not paid yet: ${commandLine} account set ACCOUNT --currency ${Object.keys(rates)[0]}.`,
    )
  }
}

/** @throws StartError if accounts pay in a currency without rates, or some hold only from a later day on */
export async function requireRates({ db, config, clock }: Pick<Platform, 'db' | 'config' | 'clock'>): Promise<void> {
  const used = await db.selectFrom('accounts').select('currency').distinct().execute()
  requireCurrencies(
    used.map(({ currency }) => currency),
    config.rates,
  )
  for (const [currency, all] of Object.entries(config.rates)) {
    if (ratesAt(all, clock()).now !== undefined) continue
    throw new StartError(`RATES_FILE has no rates in ${currency} that hold today: the first begin on ${all[0]?.from}.`)
  }
}

/** `USD: automated 0.10, manual 1.25 … a minute since 2026-01-01; from 2027-01-01 automated 0.12 …`, by currency. */
export function describeRates({ rates }: Pick<Config, 'rates'>, time: number): string {
  const words = ({ rates: each }: DatedRates) =>
    Object.entries(each)
      .map(([name, cents]) => `${name.replaceAll('_', ' ')} ${centsToDecimal(cents)}`)
      .join(', ')
  const sentences = Object.entries(rates).map(([currency, all]) => {
    const { now, next } = ratesAt(all, time)
    const since = now?.from ? ` since ${now.from}` : ''
    const later = next === undefined ? '' : `; from ${next.from}: ${words(next)}`
    return `${currency} a minute${since}: ${now === undefined ? 'none' : words(now)}${later}.`
  })
  return sentences.join(' ')
}
