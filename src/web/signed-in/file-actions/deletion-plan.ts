import { deletionWindow, refundCents } from '../../../contract/interface/deletion.ts'
import { type FileRecord, isGivenUp, isRefunded, takenBackCents } from '../../base/api/metadata-reader.ts'

/** The effect of deleting files, by the table of spec 3. */
export type DeletionPlan = Readonly<Record<ReturnType<typeof deletionWindow>, readonly FileRecord[]>>

/** The effect of deleting a file now. One that was given up is refunded already, and may be deleted at any time. */
export function deletionOf(record: FileRecord): ReturnType<typeof deletionWindow> {
  const window = deletionWindow(record.percent)
  return isGivenUp(record) || (window === 'refunded' && record.totalCents === 0) ? 'free' : window
}

/** Why deleting a file refunds nothing, as a sentence. */
export function noRefundWords(record: FileRecord): string {
  if (isGivenUp(record))
    return isRefunded(record) ? 'It was refunded already.' : 'It was given up, and there is nothing to refund.'
  if (record.percent < 100 && takenBackCents(record) > 0)
    return 'The bank took its payment back, so there is nothing to refund.'
  if (record.percent < 100 && record.totalCents === 0) return 'It cost nothing, so there is no refund.'
  // Also of one that has become ready since the list was read.
  return 'It is ready, so there is no refund.'
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
