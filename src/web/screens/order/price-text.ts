import { moneyText } from '../../base/ui/money.ts'
import type { Quote } from '../../signed-in/options/price-book.ts'

/** `$80.19`, or `about $80.19` for an estimate. */
export function priceText(price: Quote, currency: string): string {
  const amount = moneyText(price.cents, currency)
  return price.isEstimate ? `about ${amount}` : amount
}

/** `$60.00–$95.00`, or null if the estimate has no range. */
export function rangeText(price: Quote, currency: string): string | null {
  if (price.lowCents === price.highCents) return null
  return `${moneyText(price.lowCents, currency)}–${moneyText(price.highCents, currency)}`
}
