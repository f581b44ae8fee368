import type { BillingDetails, InvoicePlan } from '../../../../contract/account/invoices.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { InvoiceRow } from '../../../platform/db/schema.ts'
import type { OpenEntry } from './open-entries.ts'

export type Terms = Pick<InvoiceRow, 'vat_basis_points' | 'reverse_charge' | 'customer_json'>

/** What holds today: the rate, and who is invoiced. */
export type TermsNow = { vatPercent: number; details: BillingDetails }

/** The rate of the VAT in it, in percent; 0 with reverse charge. */
export const vatPercentOf = (terms: { vat_basis_points: number; reverse_charge: number | null }): number =>
  terms.reverse_charge === 1 ? 0 : terms.vat_basis_points / 100

/** As it was charged (decisions 154 and 156); today's settings where that was not recorded. */
export function termsOf(
  { vat_basis_points, reverse_charge, customer_json }: OpenEntry,
  { vatPercent, details }: TermsNow,
): Terms {
  const charged = customer_json === null ? null : (JSON.parse(customer_json) as BillingDetails)
  const customer = charged === null || isSameParty(charged, details) ? details : charged
  const terms = {
    vat_basis_points: vat_basis_points ?? Math.round(vatPercent * 100),
    reverse_charge: reverse_charge ?? (details.reverse_charge ? 1 : 0),
  } as const
  return { ...terms, customer_json: JSON.stringify({ ...customer, reverse_charge: terms.reverse_charge === 1 }) }
}

/** A corrected address is of the same party. */
export const isSameParty = (a: BillingDetails, b: BillingDetails): boolean =>
  a.company === b.company && a.vat_number === b.vat_number

/**
 * What is open, by paper: an invoice for each party and way of taxing, a credit note for each invoice that has to be
 * corrected.
 */
export function groupByPaper(entries: readonly OpenEntry[], now: TermsNow): OpenEntry[][] {
  const key = (entry: OpenEntry) => [entry.currency, entry.corrects ?? Object.values(termsOf(entry, now))].join(' ')
  return [...Map.groupBy(entries, key).values()]
}

export const sumCents = (entries: readonly OpenEntry[]): number =>
  entries.reduce((sum, { amount_cents }) => sum + amount_cents, 0)

/** The papers that writing would make now. A credit note goes to whom it corrects the invoice of. */
export async function planInvoices(db: Db, entries: readonly OpenEntry[], now: TermsNow): Promise<InvoicePlan[]> {
  const ids = [...new Set(entries.flatMap(({ corrects }) => corrects ?? []))]
  const columns = ['id', 'customer_json', 'vat_basis_points', 'reverse_charge'] as const
  const rows = ids.length === 0 ? [] : await db.selectFrom('invoices').select(columns).where('id', 'in', ids).execute()
  const corrected = new Map<string, Terms>(rows.map((row) => [row.id, row]))
  return groupByPaper(entries, now).flatMap((own) => {
    const [first] = own
    const corrects = first?.corrects ?? null
    const terms = corrects === null ? first && termsOf(first, now) : corrected.get(corrects)
    if (terms === undefined) return []
    const { company = null } = JSON.parse(terms.customer_json) as Partial<BillingDetails>
    const kind = corrects === null ? ('invoice' as const) : ('credit-note' as const)
    return { kind, corrects, total_cents: sumCents(own), company, vat_percent: vatPercentOf(terms) }
  })
}
