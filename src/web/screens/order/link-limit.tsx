import { useState } from 'react'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { centsToDecimal, decimalToCents } from '../../../contract/interface/price.ts'
import { Field } from '../../base/ui/field.tsx'
import { type PriceBook, quote } from '../../signed-in/options/price-book.ts'

/** The most that each link may cost (decision 87): its price is known only once the service has fetched it. */
export type LinkLimit = {
  /** as it stands in the field */
  readonly text: string
  /** null if the text is no amount */
  readonly cents: number | null
  readonly change: (text: string) => void
}

/** Until the customer says otherwise, a link may cost what a recording of this length does. */
const usualMs = 2 * 3_600_000

/** The limit of the tray's links; null if the service publishes no prices, and knows no limits. */
export function useLinkLimit(book: PriceBook | null, options: OrderOptions): LinkLimit | null {
  const [typed, change] = useState<string | null>(null)
  if (book?.kind !== 'rates') return null
  const text = typed ?? centsToDecimal(quote(book, options, usualMs, true)?.cents ?? 0)
  return { text, cents: /^\d{1,6}(\.\d{1,2})?$/.test(text.trim()) ? decimalToCents(text) : null, change }
}

/** Where the limit is set, beside the total. */
export function LinkLimitField({ limit, currency }: { limit: LinkLimit; currency: string }) {
  return (
    <Field
      label={`At most for each link, ${currency}`}
      inputMode="decimal"
      autoComplete="off"
      value={limit.text}
      onChange={(event) => limit.change(event.target.value)}
      hint="A link that costs more is not ordered."
      error={limit.cents === null ? 'Enter an amount, such as 15.00.' : null}
    />
  )
}
