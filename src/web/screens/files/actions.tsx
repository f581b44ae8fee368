import { ArrowDownToLine, ReceiptText } from 'lucide-react'
import { later, laterPart } from '../../base/ui/later.tsx'
import type { FileAction } from '../../signed-in/file-actions/file-action.ts'
import { fileActions } from '../../signed-in/file-actions/file-actions.tsx'
import { saveCsv } from '../../signed-in/preferences/save-csv.ts'

const { remove, ...others } = fileActions
const csv = later(() => import('./receipt/receipts-csv.ts'))

/** Every action of the list, in the order of the bar for selected files. */
export const listActions = {
  /** Downloads transcripts as one archive or document. */
  download: {
    Icon: ArrowDownToLine,
    label: () => 'Download all as ZIP',
    Dialog: laterPart(async () => (await import('./download/zip-dialog.tsx')).ZipDialog),
  },
  ...others,
  receipts: {
    Icon: ReceiptText,
    label: () => 'Receipts as CSV',
    run: (_library, records) =>
      void csv.load().then(({ receiptsCsv }) => saveCsv(receiptsCsv(records), 'receipts.csv')),
  },
  remove,
} satisfies Record<string, FileAction>

export type ListActionName = keyof typeof listActions
