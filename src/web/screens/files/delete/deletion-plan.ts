import { deletionWindow, refundCents } from '../../../../contract/interface/deletion.ts'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'

/** The effect of deleting files, by the table of spec 3. */
export type DeletionPlan = Readonly<Record<ReturnType<typeof deletionWindow>, readonly FileRecord[]>>

/** The refund of one file if it is deleted now; 0 if there is none, NaN if progress or total is unknown. */
export function calculateRefund(record: FileRecord): number {
  const window = deletionWindow(record.percent)
  return window === 'refunded' ? refundCents(record.totalCents, record.percent) : 0
}

/** Groups files by the effect of deleting them. Unknown progress counts as refundable: the service decides. */
export function planDeletion(records: readonly FileRecord[]): DeletionPlan {
  const { refunded = [], locked = [], free = [] } = Object.groupBy(records, ({ percent }) => deletionWindow(percent))
  return { refunded, locked, free }
}
