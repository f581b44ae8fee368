import { csvNumber, csvText } from '../../../../contract/common/csv.ts'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'

const head = 'name,id,created,seconds,cost,discount,total,currency,transaction,refund,date'

function receiptLine({ id, metadata }: FileRecord): string {
  return [
    csvText(metadata.name),
    csvText(id),
    csvText(metadata.created),
    csvNumber(metadata.seconds),
    csvNumber(metadata.cost),
    csvNumber(metadata.discount),
    csvNumber(Number.isFinite(metadata.total) ? metadata.total.toFixed(2) : ''),
    csvText(metadata.currency),
    csvText(metadata.transaction_id),
    csvNumber(metadata.refund_amount),
    // The date format of spreadsheets and bookkeeping.
    csvText(metadata.created.slice(0, 10)),
  ].join(',')
}

/** Receipts of files as CSV, one line per file. */
export function receiptsCsv(records: readonly FileRecord[]): string {
  return `${[head, ...records.map(receiptLine)].join('\r\n')}\r\n`
}
