import type { FileRecord } from '../../api/metadata-reader.ts'
import type { FileRow } from '../../library/library-rows.ts'
import { dayText, weekdayText } from '../../ui/dates.ts'
import { roughLength } from '../../ui/duration.ts'
import { isDelayed } from '../list/list-view.ts'

/** What stands beside the bar of a file that is not ready, and whether it is bad news. */
export type ProgressNote = { text: string; late: boolean }

/** Beyond this the remaining time is a date's matter. */
const longestEstimateMs = 48 * 3_600_000

/** Why it is late, else how long it will take at the rate it was seen to move, else when it is due. */
export function progressNote(row: FileRow, record: FileRecord, now: number): ProgressNote {
  const { delay_reason } = record.metadata
  if (delay_reason !== null) return { text: `late · ${delay_reason}`, late: true }
  if (isDelayed(record, now)) return { text: `late · was due ${dayText(record.dueAt, now)}`, late: true }
  const leftMs = remainingMs(row, record, now)
  if (leftMs !== null && leftMs < longestEstimateMs)
    return { text: `about ${roughLength(leftMs / 1000)} left`, late: false }
  if (Number.isFinite(record.dueAt)) return { text: `due ${weekdayText(record.dueAt)}`, late: false }
  return { text: 'no delivery date', late: false }
}

/**
 * Time left in milliseconds at the rate seen in this visit; for an automated order not yet seen to move, at its mean
 * rate since it was ordered. Null where nothing can be said.
 */
function remainingMs(row: FileRow, record: FileRecord, now: number): number | null {
  const left = 100 - record.percent
  if (row.pace !== null) {
    // Seen to move faster than it does now: the longer it stands still, the less that rate is worth.
    const sinceMove = now - row.movedAt
    return Math.max(left / row.pace - sinceMove, sinceMove / 2)
  }
  if (record.metadata.options.transcript_type !== 'automated' || !(record.percent > 0)) return null
  const elapsed = now - record.createdAt
  return elapsed > 0 ? (elapsed / record.percent) * left : null
}

/** What is left of a file's life in the sandbox: `removed in 3 h 12 min`. */
export function expiryText(expiresAt: number, now: number): string {
  const left = expiresAt - now
  return left <= 0 ? 'being removed' : `removed in ${roughLength(left / 1000)}`
}
