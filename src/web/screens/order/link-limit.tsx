import { useState } from 'react'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { Field } from '../../base/ui/field.tsx'
import { readCents } from '../../base/ui/read-cents.ts'
import { type PriceBook, quote } from '../../signed-in/options/price-book.ts'

/** Price limit per link (decision 87): its price is known only once the service has fetched it. */
export type LinkLimit = {
  /** as typed in the field */
  readonly text: string
  /** null if the text is no amount */
  readonly cents: number | null
  readonly change: (text: string) => void
}

/** Default limit of a link: the price of a recording of this length. */
const usualMs = 2 * 3_600_000

/** The price limit of the tray's links; null if the service publishes no prices, and supports no limits. */
export function useLinkLimit(book: PriceBook | null, options: OrderOptions): LinkLimit | null {
  const [typed, change] = useState<string | null>(null)
  if (book?.kind !== 'rates') return null
  const text = typed ?? centsToDecimal(quote(book, options, usualMs, true)?.cents ?? 0)
  const cents = readCents(text)
  return { text, cents: Number.isNaN(cents) ? null : cents, change }
}

/** Field for the limit, beside the total. */
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
