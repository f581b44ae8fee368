import type { Invoice, InvoiceLine, InvoicePage } from '../../../../contract/account/invoices.ts'
import { csvNumber, csvText } from '../../../../contract/common/csv.ts'
import { centsToDecimal } from '../../../../contract/interface/price.ts'
import { chunks } from '../../../platform/db/change-files.ts'
import type { Db } from '../../../platform/db/open.ts'
import { type Cursor, cutPage, isAfter } from '../../../platform/db/pages.ts'
import type { InvoiceItemRow, InvoiceRow } from '../../../platform/db/schema.ts'
import { iso } from '../../../platform/iso-time.ts'
import { ServiceError } from '../../../platform/service-error.ts'
import { vatPercentOf } from './plan-invoices.ts'

export function toInvoiceLine(row: InvoiceRow): InvoiceLine {
  const { id, kind, currency, total_cents, vat_cents, corrects } = row
  return {
    ...{ id, kind, currency, total_cents, vat_cents, corrects },
    created: iso(row.created_at),
    from: iso(row.from_at),
    to: iso(row.to_at),
    vat_percent: vatPercentOf(row),
    reverse_charge: row.reverse_charge === 1,
    is_test: row.is_test === 1,
  }
}

/** Invoices and credit notes of an account, newest first. */
export async function readInvoicePage(
  db: Db,
  accountId: string,
  before: Cursor | null,
  limit: number,
): Promise<InvoicePage> {
  const query = db.selectFrom('invoices').selectAll().where('account_id', '=', accountId).where(isAfter(before))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { page, next_cursor } = cutPage(rows, limit)
  return { invoices: page.map(toInvoiceLine), next_cursor }
}

/** One with all that is on it. @throws ServiceError 404 */
export async function readInvoice(db: Db, accountId: string, id: string): Promise<Invoice> {
  const own = db.selectFrom('invoices').selectAll().where('account_id', '=', accountId).where('id', '=', id)
  const row = await own.executeTakeFirst()
  if (row === undefined) throw new ServiceError(404, 'This account has no invoice of this number.')
  const items = await db.selectFrom('invoice_items').selectAll().where('invoice', '=', id).orderBy('position').execute()
  const names = await readNames(
    db,
    items.map(({ transaction_id }) => transaction_id),
  )
  return {
    ...toInvoiceLine(row),
    seller: row.seller,
    customer: row.customer_json === '{}' ? null : JSON.parse(row.customer_json),
    items: items.map((item) => toItem(item, names.get(item.transaction_id))),
  }
}

function toItem(item: InvoiceItemRow, name: string | undefined): Invoice['items'][number] {
  const { transaction_id, kind, transcript_type, amount_cents, discount_cents, free_ms, due_at, to_card_cents } = item
  return {
    ...{ transaction_id, kind, undone: item.is_undone === 1, transcript_type, seconds: item.duration_ms / 1_000 },
    ...{ created: iso(item.created_at), amount_cents, discount_cents, free_seconds: (free_ms ?? 0) / 1_000 },
    ...{ to_card_cents, due: iso(due_at) },
    // A paper that was written without names stays so.
    file_name: to_card_cents === null || !name ? null : name,
  }
}

/** Names of files, which the ledger has as long as the account exists (decision 159). @returns by transaction */
async function readNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const some of chunks(ids)) {
    const entries = db.selectFrom('ledger').select(['transaction_id', 'file_name'])
    const rows = await entries.where('transaction_id', 'in', some).execute()
    for (const { transaction_id, file_name } of rows) names.set(transaction_id, file_name)
  }
  return names
}

const csvHead =
  '\ufeffnumber,kind,corrects,date,transaction_id,entry,created,file_name,transcript_type,seconds,amount,currency,vat_percent,reverse_charge,total,total_vat,total_net,discount,free_seconds'

/** What is on it as CSV, with the names of files as far as the account still has them. */
export async function invoiceCsv(db: Db, invoice: Invoice): Promise<string> {
  const ids = invoice.items.map(({ transaction_id }) => transaction_id)
  const names = await readNames(db, ids)
  const { id, kind, corrects, created, currency, vat_percent, reverse_charge, total_cents, vat_cents } = invoice
  const lines = invoice.items.map((item) =>
    [
      ...[id, kind, corrects ?? '', created.slice(0, 10), item.transaction_id].map(csvText),
      csvText(item.undone ? `${item.kind} undone` : item.kind),
      ...[item.created, names.get(item.transaction_id) ?? '', item.transcript_type].map(csvText),
      csvNumber(item.seconds),
      csvNumber(centsToDecimal(item.amount_cents)),
      csvText(currency),
      csvNumber(vat_percent),
      csvText(reverse_charge ? 'yes' : 'no'),
      ...[total_cents, vat_cents, total_cents - vat_cents].map((cents) => csvNumber(centsToDecimal(cents))),
      item.discount_cents === null ? '' : csvNumber(centsToDecimal(item.discount_cents)),
      csvNumber(item.free_seconds),
    ].join(','),
  )
  return [csvHead, ...lines, ''].join('\r\n')
}
