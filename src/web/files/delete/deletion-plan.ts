import { deletionWindow, refundCents } from '../../../contract/deletion.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'

/** What deleting some files would do, by the table of spec 3. Amounts are whole cents, by currency. */
export type DeletionPlan = {
  refunded: { record: FileRecord; refundCents: number }[]
  locked: FileRecord[]
  free: FileRecord[]
  refundsByCurrency: Map<string, number>
}

/** The refund of one file if it is deleted now; 0 where there is none, NaN where progress or total is unknown. */
export function refundOf(record: FileRecord): number {
  const window = deletionWindow(record.percent)
  return window === 'refunded' ? refundCents(record.totalCents, record.percent) : 0
}

/** Sorts files by what deleting does to them. Unknown progress counts as refundable: the service decides. */
export function planDeletion(records: readonly FileRecord[]): DeletionPlan {
  const plan: DeletionPlan = { refunded: [], locked: [], free: [], refundsByCurrency: new Map() }
  for (const record of records) {
    const window = deletionWindow(record.percent)
    if (window === 'locked') plan.locked.push(record)
    else if (window === 'free') plan.free.push(record)
    else {
      const cents = refundOf(record)
      plan.refunded.push({ record, refundCents: cents })
      const { currency } = record.metadata
      plan.refundsByCurrency.set(currency, (plan.refundsByCurrency.get(currency) ?? 0) + cents)
    }
  }
  return plan
}
