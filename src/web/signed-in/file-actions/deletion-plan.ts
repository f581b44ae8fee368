import { deletionWindow, refundCents } from '../../../contract/interface/deletion.ts'
import { type FileRecord, isGivenUp } from '../../base/api/metadata-reader.ts'

/** The effect of deleting files, by the table of spec 3. */
export type DeletionPlan = Readonly<Record<ReturnType<typeof deletionWindow>, readonly FileRecord[]>>

/** The effect of deleting a file now. One that was given up is refunded already, and may be deleted at any time. */
export function deletionOf(record: FileRecord): ReturnType<typeof deletionWindow> {
  return isGivenUp(record) ? 'free' : deletionWindow(record.percent)
}

/** The refund of one file if it is deleted now; 0 if there is none, NaN if progress or total is unknown. */
export function calculateRefund(record: FileRecord): number {
  return deletionOf(record) === 'refunded' ? refundCents(record.totalCents, record.percent) : 0
}

/** Groups files by the effect of deleting them. Unknown progress counts as refundable: the service decides. */
export function planDeletion(records: readonly FileRecord[]): DeletionPlan {
  const { refunded = [], locked = [], free = [] } = Object.groupBy(records, deletionOf)
  return { refunded, locked, free }
}
