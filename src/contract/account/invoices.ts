import * as z from 'zod/mini'
import { divideHalfUp } from '../interface/price.ts'
import { ledgerKinds } from './usage.ts'

/** Body of `PUT invoicing`: who is invoiced. */
export const billingDetails = z.strictObject({
  /** name of the company or person */
  company: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  /** postal address, a line each */
  address: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
  /** VAT number, whose form is checked; null: none */
  vat_number: z.nullable(z.string().check(z.maxLength(40))),
  /** the customer accounts for the VAT; needs a VAT number */
  reverse_charge: z.boolean(),
})
export type BillingDetails = z.infer<typeof billingDetails>

/** A paper that writing would make now. */
const invoicePlan = z.object({
  kind: z.enum(['invoice', 'credit-note']),
  /** number of the invoice that it corrects; null: it is none of these */
  corrects: z.nullable(z.string()),
  /** charges less refunds, with VAT */
  total_cents: z.int(),
  /** to whom: who ordered, a credit note to whom its invoice went; null: erased */
  company: z.nullable(z.string()),
  /** the rate of the VAT in it; 0 with reverse charge */
  vat_percent: z.number(),
})
export type InvoicePlan = z.infer<typeof invoicePlan>

/** Response of `GET invoicing`. Prices include the VAT that is set: nothing is ever added to them. */
export const invoicing = z.object({
  /** who is invoiced; null: nobody has said so yet, and no invoices are written */
  details: z.nullable(billingDetails),
  /** name and address of the seller; null: this service writes no invoices */
  seller: z.nullable(z.string()),
  /** the VAT that prices include, in percent */
  vat_percent: z.number(),
  /** charged and not on an invoice yet, less refunds */
  open_cents: z.int(),
  /** how many entries that is */
  open_entries: z.int(),
  /** the papers that `POST invoices` would write of these now; none if nobody has said who is invoiced */
  plan: z.array(invoicePlan),
})
export type Invoicing = z.infer<typeof invoicing>

const invoiceLine = z.object({
  /** its number; a sequence without gaps */
  id: z.string(),
  /** a credit note corrects an invoice that was written before */
  kind: z.enum(['invoice', 'credit-note']),
  /** ISO 8601 */
  created: z.string(),
  /** when the first entry on it was made, ISO 8601 */
  from: z.string(),
  /** when the last entry on it was made, ISO 8601 */
  to: z.string(),
  currency: z.string(),
  /** charges less refunds, with VAT; equal to the ledger's entries on it. Negative: given back */
  total_cents: z.int(),
  /** of it VAT */
  vat_cents: z.int(),
  /** the rate of the VAT in it; 0 with reverse charge */
  vat_percent: z.number(),
  /** the customer accounts for the VAT */
  reverse_charge: z.boolean(),
  /** true: of the sandbox or of test cards, and no money moved */
  is_test: z.boolean(),
  /** number of the invoice that it corrects; null: it is none of these */
  corrects: z.nullable(z.string()),
})
export type InvoiceLine = z.infer<typeof invoiceLine>

/** Response of `GET invoices?cursor=&limit=` (limit at most 500). */
export const invoicePage = z.object({
  /** newest first */
  invoices: z.array(invoiceLine),
  next_cursor: z.nullable(z.string()),
})
export type InvoicePage = z.infer<typeof invoicePage>

/** Response of `POST invoices` (201): what was written, for everything that was open. */
export const writtenInvoices = z.object({
  /** an invoice, and credit notes for what corrects earlier ones */
  invoices: z.array(invoiceLine),
})

/** Response of `GET invoices/{id}`. */
export const invoice = z.object({
  ...invoiceLine.shape,
  /** name and address of the seller as they were then */
  seller: z.string(),
  /** who is invoiced, as it was then; null once the law lets it be erased */
  customer: z.nullable(billingDetails),
  /** ledger entries, oldest first */
  items: z.array(
    z.object({
      transaction_id: z.string(),
      kind: z.enum(ledgerKinds),
      /** true: the entry was on the invoice that this one corrects, and has failed since */
      undone: z.boolean(),
      transcript_type: z.enum(['automated', 'manual']),
      seconds: z.number(),
      /** when the entry was made, ISO 8601 */
      created: z.string(),
      /** positive: charged; negative: given back */
      amount_cents: z.int(),
      /** null: it was written before lines had names, or the account was erased */
      file_name: z.nullable(z.string()),
      /** charges: list price less what was charged; null: it was not recorded */
      discount_cents: z.nullable(z.int()),
      /** charges: how much of the recording was free of charge */
      free_seconds: z.number(),
      /** refunds: what of it goes back to cards, the rest to the balance; null: it was not recorded */
      to_card_cents: z.nullable(z.int()),
      /** refunds: when that is returned, ISO 8601; null: it was not recorded */
      due: z.nullable(z.string()),
    }),
  ),
})
export type Invoice = z.infer<typeof invoice>

/**
 * The VAT in a sum that includes it, half up to the cent.
 * @param totalCents may be negative @param percent at most two decimals
 */
export function vatCents(totalCents: number, percent: number): number {
  const basisPoints = Math.round(percent * 100)
  return Math.sign(totalCents) * divideHalfUp(Math.abs(totalCents) * basisPoints, 10_000 + basisPoints)
}
