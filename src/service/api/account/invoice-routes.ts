import type { FastifyReply } from 'fastify'
import { billingDetails, invoice, invoicePage, invoicing, writtenInvoices } from '../../../contract/account/invoices.ts'
import { invoicePdf } from '../../operations/invoice-pdf.ts'
import { changeBilling, readInvoicing } from '../../orders/money/invoices/billing.ts'
import { invoiceCsv, readInvoice, readInvoicePage } from '../../orders/money/invoices/read-invoices.ts'
import { requestInvoices } from '../../orders/money/invoices/write-invoices.ts'
import { route } from '../http/account-route.ts'
import { answer, binary, text, unknown } from '../http/operation.ts'
import { pageQuery } from '../http/read-request.ts'

const [pdfType, csvType] = ['application/pdf', 'text/csv; charset=utf-8'] as const
const pdf = { description: 'The document.', content: { [pdfType]: binary } }
const csv = { description: 'A line for each entry.', content: { [csvType]: text } }

function sendFile(reply: FastifyReply, type: string, name: string, content: string | Buffer): FastifyReply {
  const disposition = `attachment; filename="${name}"`
  return reply.header('content-type', type).header('content-disposition', disposition).send(content)
}

/** `invoicing` and `invoices`: who is invoiced, and what was written (decision 147). */
export const invoiceRoutes = [
  route('get /invoicing', 'Who is invoiced, and what is not on an invoice yet', { 200: invoicing }, (given) =>
    readInvoicing(given.platform, given.caller.account),
  ),
  route(
    'put /invoicing',
    'Say who is invoiced, for recordings that are charged from now on',
    { body: billingDetails, 200: invoicing, 409: 'This service writes no invoices.' },
    ({ platform, caller, body }) => changeBilling(platform, caller.account, body),
  ),
  route(
    'get /invoices',
    'Invoices and credit notes, the newest first',
    { query: pageQuery(100, 500, 'text'), 200: invoicePage },
    ({ platform, caller, query }) => readInvoicePage(platform.db, caller.account.id, query.cursor, query.limit),
  ),
  route(
    'post /invoices',
    'Write an invoice of everything that is on none yet',
    {
      description: 'Otherwise one is written once a month is over.',
      201: answer(writtenInvoices),
      409: 'Nothing is open, nobody has said who is invoiced, or this service writes no invoices.',
    },
    async ({ platform, caller }) => ({ invoices: await requestInvoices(platform, caller.account) }),
  ),
  route('get /invoices/{id}', 'One invoice with all that is on it', { 200: invoice, 404: unknown }, (given) =>
    readInvoice(given.platform.db, given.caller.account.id, given.params.id),
  ),
  route(
    'get /invoices/{id}/pdf',
    'One as PDF',
    { 200: pdf, 404: unknown },
    async ({ platform, caller, params, reply }) => {
      const made = await invoicePdf(await readInvoice(platform.db, caller.account.id, params.id))
      return sendFile(reply, pdfType, `${params.id}.pdf`, made)
    },
  ),
  route(
    'get /invoices/{id}/csv',
    'One as CSV, with the names of files',
    { 200: csv, 404: unknown },
    async ({ platform, caller, params, reply }) => {
      const made = await invoiceCsv(platform.db, await readInvoice(platform.db, caller.account.id, params.id))
      return sendFile(reply, csvType, `${params.id}.csv`, made)
    },
  ),
]
