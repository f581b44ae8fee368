import { moneyText } from '../../base/ui/money.ts'
import type { Quote } from '../../signed-in/options/price-book.ts'

const words = { exact: '', most: 'at most ', about: 'about ' } as const

/** `$80.19`, `at most $80.19` or, for an estimate, `about $80.19`. */
export function priceText(price: Quote, currency: string): string {
  return words[price.certainty] + moneyText(price.cents, currency)
}

/** `$60.00–$95.00`, or null if the estimate has no range. */
export function rangeText(price: Quote, currency: string): string | null {
  if (price.lowCents === price.highCents) return null
  return `${moneyText(price.lowCents, currency)}–${moneyText(price.highCents, currency)}`
}
