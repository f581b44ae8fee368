import type { FileRecord } from '../../api/metadata-reader.ts'

const head = ['name', 'id', 'created', 'seconds', 'cost', 'discount', 'total', 'currency', 'transaction', 'refund']

/** One field of RFC 4180. Text that a spreadsheet would run as a formula is kept text by a leading apostrophe. */
function field(value: string): string {
  const inert = /^[=+\-@\t\r]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

/** Receipts of files as CSV (RFC 4180, UTF-8 with a mark so that spreadsheets read it), one line a file. */
export function receiptsCsv(records: readonly FileRecord[]): string {
  const lines = records.map(({ id, metadata }) => [
    metadata.name,
    id,
    metadata.created,
    metadata.seconds,
    metadata.cost,
    metadata.discount,
    Number.isFinite(metadata.total) ? metadata.total.toFixed(2) : '',
    metadata.currency,
    metadata.transaction_id,
    metadata.refund_amount,
  ])
  return `\ufeff${[head, ...lines].map((line) => line.map(field).join(',')).join('\r\n')}\r\n`
}
