import type { Rates } from '../../../contract/interface/price.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { StartError } from '../../platform/start-error.ts'

/** Prices per minute in a currency. @throws ServiceError 503 if there are no rates in it */
export function getRates({ config }: Pick<Platform, 'config'>, currency: string): Rates {
  const rates = config.rates[currency]
  if (rates !== undefined) return rates
  throw new ServiceError(503, `This service has no prices in ${currency} at the moment. Nothing was charged.`)
}

/** @throws StartError if accounts pay in a currency without rates */
export async function requireRates({ db, config }: Pick<Platform, 'db' | 'config'>): Promise<void> {
  const used = await db.selectFrom('accounts').select('currency').distinct().execute()
  const missing = used.map(({ currency }) => currency).filter((currency) => config.rates[currency] === undefined)
  if (missing.length > 0)
    throw new StartError(`Accounts pay in ${missing.join(', ')}, which RATES_FILE has no rates for.`)
}
