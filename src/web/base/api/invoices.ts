import {
  type BillingDetails,
  type InvoiceLine,
  invoicePage,
  invoicing,
  writtenInvoices,
} from '../../../contract/account/invoices.ts'
import { accountPages, accountQuery, askAccount, blobOfAccount } from './account-call.ts'
import type { Session } from './client.ts'

const rowsAtOnce = 12

/** The formats of an invoice, with their names for people. */
export const invoiceFormats = { pdf: 'PDF', csv: 'CSV' } as const
export type InvoiceFormat = keyof typeof invoiceFormats

/** Queries about who is invoiced, and of invoices. */
export const invoices = {
  details: (session: Session) => accountQuery(session, ['invoicing'], 'invoicing', invoicing),
  list: (session: Session) =>
    accountPages(
      session,
      ['invoices'],
      (cursor) => `invoices?limit=${rowsAtOnce}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      invoicePage,
    ),
}

/** Says who is invoiced from now on. @throws ApiError 400 if the VAT number is none */
export async function saveBilling(session: Session, details: BillingDetails): Promise<void> {
  await askAccount(session, 'invoicing', invoicing, { method: 'PUT', body: details })
}

/** Writes an invoice of everything that is on none. @throws ApiError 409 */
export async function writeInvoice(session: Session): Promise<InvoiceLine[]> {
  return (await askAccount(session, 'invoices', writtenInvoices, { method: 'POST' })).invoices
}

/** One as a file. @throws ApiError */
export async function invoiceFile(session: Session, id: string, format: InvoiceFormat): Promise<Blob> {
  return await blobOfAccount(session, `invoices/${encodeURIComponent(id)}/${format}`)
}
