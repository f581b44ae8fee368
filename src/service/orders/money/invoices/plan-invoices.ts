import type { BillingDetails, InvoicePlan } from '../../../../contract/account/invoices.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { InvoiceRow } from '../../../platform/db/schema.ts'
import type { OpenEntry } from './open-entries.ts'

export type Terms = Pick<InvoiceRow, 'vat_basis_points' | 'reverse_charge'>

/** What holds today: the rate, and who is invoiced. */
export type TermsNow = { vatPercent: number; details: BillingDetails }

/** As it was charged (decision 154); today's settings where that was not recorded. */
export function termsOf({ vat_basis_points, reverse_charge }: OpenEntry, { vatPercent, details }: TermsNow): Terms {
  return {
    vat_basis_points: vat_basis_points ?? Math.round(vatPercent * 100),
    reverse_charge: reverse_charge ?? (details.reverse_charge ? 1 : 0),
  }
}

/** What is open, by paper: an invoice for each way of taxing, a credit note for each invoice that has to be corrected. */
export function groupByPaper(entries: readonly OpenEntry[], now: TermsNow): OpenEntry[][] {
  const key = (entry: OpenEntry) => [entry.currency, entry.corrects ?? Object.values(termsOf(entry, now))].join(' ')
  return [...Map.groupBy(entries, key).values()]
}

export const sumCents = (entries: readonly OpenEntry[]): number =>
  entries.reduce((sum, { amount_cents }) => sum + amount_cents, 0)

/** The papers that writing would make now. A credit note goes to whom it corrects the invoice of. */
export async function planInvoices(db: Db, entries: readonly OpenEntry[], now: TermsNow): Promise<InvoicePlan[]> {
  const corrected = [...new Set(entries.flatMap(({ corrects }) => corrects ?? []))]
  const rows =
    corrected.length === 0
      ? []
      : await db.selectFrom('invoices').select(['id', 'customer_json']).where('id', 'in', corrected).execute()
  const companies = new Map(
    rows.map(({ id, customer_json: json }) => [id, json && (JSON.parse(json) as BillingDetails).company]),
  )
  return groupByPaper(entries, now).map((own) => {
    const corrects = own[0]?.corrects ?? null
    const company = corrects === null ? now.details.company : (companies.get(corrects) ?? null)
    return { kind: corrects === null ? 'invoice' : 'credit-note', corrects, total_cents: sumCents(own), company }
  })
}
