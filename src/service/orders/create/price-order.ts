import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { type Price, priceBeyond } from '../../../contract/interface/price.ts'
import type { Account } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { getRates } from '../money/get-rates.ts'
import { type AskedQuote, priceByQuote, requireQuote } from '../money/quotes.ts'

/**
 * What a recording costs: by the rates of now, or those of the quote that the order names if they are lower.
 * @param freeMs so much of it is not charged
 * @throws ServiceError 404, 409 as `requireQuote` and `priceByQuote`
 */
export async function priceOrder(
  platform: Platform,
  { account, options, quote }: { account: Account; options: OrderOptions; quote?: AskedQuote | null },
  durationMs: number,
  freeMs: number,
): Promise<Price> {
  const rates = getRates(platform, account.currency)
  const price = priceBeyond(freeMs, rates, options, durationMs, account.discount_percent)
  if (quote == null) return price
  const named = await requireQuote(platform.db, account, quote, options)
  const quoted = await priceByQuote(platform.db, named, options, { duration_ms: durationMs }, freeMs)
  return quoted.totalCents < price.totalCents ? quoted : price
}
