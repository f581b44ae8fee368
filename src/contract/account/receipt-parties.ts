import { vatCents } from './invoices.ts'
import type { LedgerLine } from './usage.ts'

type Entry = Pick<LedgerLine, 'kind' | 'amount_cents' | 'vat_percent' | 'reverse_charge' | 'billed_to'>

/** What a sum says of its VAT: of all that is taxed alike. */
export type VatPart = { percent: number; isReverse: boolean; totalCents: number; vatCents: number }

/** What a receipt has of one party. */
export type ReceiptPart<Line> = {
  /** a line each; null: nobody is named */
  billedTo: string | null
  /** of some of it nobody had said who ordered, and who is named today may be changed */
  isAsOfNow: boolean
  lines: Line[]
  chargedCents: number
  /** negative */
  refundedCents: number
  vat: VatPart[]
}

const sumCents = (entries: readonly Entry[]): number => entries.reduce((sum, { amount_cents }) => sum + amount_cents, 0)

/** The VAT in entries, by rate; nothing of those without VAT, or of which it was not recorded. */
export function vatParts(entries: readonly Entry[]): VatPart[] {
  const taxed = entries.filter(({ vat_percent, reverse_charge }) => reverse_charge || vat_percent)
  const byRate = Map.groupBy(taxed, ({ vat_percent, reverse_charge }) => (reverse_charge ? 'reverse' : vat_percent))
  return [...byRate.values()].map((own) => {
    const [totalCents, isReverse] = [sumCents(own), own[0]?.reverse_charge === true]
    const percent = isReverse ? 0 : (own[0]?.vat_percent ?? 0)
    return { percent, isReverse, totalCents, vatCents: vatCents(totalCents, percent) }
  })
}

/** What a paper says of it. @param of the sum, in words */
export const vatWords = ({ percent, isReverse }: VatPart, of: string): string =>
  isReverse
    ? `Reverse charge: no VAT in ${of}, the recipient of the service accounts for it`
    : `${percent}% VAT in ${of}`

/**
 * Divides a receipt by whom its entries are billed to, so that each part can be booked (decision 159).
 * @param lines none that failed, as they moved no money
 * @param namedNow stands for what was ordered before anybody was named
 */
export function divideReceipt<Line extends Entry>(
  lines: readonly Line[],
  namedNow: string | null,
): ReceiptPart<Line>[] {
  const parties = Map.groupBy(lines, ({ billed_to }) => billed_to ?? namedNow)
  return [...parties].map(([billedTo, own]) => ({
    billedTo,
    isAsOfNow: own.some(({ billed_to }) => billed_to == null),
    lines: own,
    chargedCents: sumCents(own.filter(({ kind }) => kind === 'charge')),
    refundedCents: sumCents(own.filter(({ kind }) => kind === 'refund')),
    vat: vatParts(own),
  }))
}
