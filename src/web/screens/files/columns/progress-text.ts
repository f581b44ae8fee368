import { type FileRecord, isGivenUp } from '../../../base/api/metadata-reader.ts'
import type { Dates } from '../../../base/ui/dates.ts'
import { roughLength } from '../../../base/ui/duration.ts'
import type { FileRow } from '../../../signed-in/library/library-rows.ts'

/** True if the service gives a reason for a delay, or the delivery date has passed; not of what never becomes ready. */
export function isDelayed(record: FileRecord, now: number): boolean {
  return record.percent < 100 && !isGivenUp(record) && (record.metadata.delay_reason !== null || record.dueAt < now)
}

/** The text below the bar of a file that is not ready. */
export type ProgressNote = { text: string; late: boolean }

/** Beyond this the delivery date is more useful than the remaining time. */
const longestEstimateMs = 48 * 3_600_000

/** Why it is late, else the time left at its measured rate, else when it is due. */
export function progressNote(row: FileRow, record: FileRecord, now: number, dates: Dates): ProgressNote {
  const { delay_reason } = record.metadata
  if (delay_reason !== null) {
    const due = record.dueAt > now ? ` · due ${dates.moment(record.dueAt, now)}` : ''
    return { text: `delayed · ${delay_reason}${due}`, late: true }
  }
  if (isDelayed(record, now)) return { text: `delayed · was due ${dates.moment(record.dueAt, now)}`, late: true }
  const leftMs = remainingMs(row, record, now)
  if (leftMs !== null && leftMs < longestEstimateMs)
    return { text: `about ${roughLength(leftMs / 1000)} left`, late: false }
  // In the sandbox a day is all that a file has.
  if (record.expiresAt !== null && record.dueAt > record.expiresAt)
    return { text: 'removed before it is due', late: false }
  if (Number.isFinite(record.dueAt)) return { text: `due ${dates.moment(record.dueAt, now)}`, late: false }
  return { text: 'no due date', late: false }
}

/**
 * Time left in milliseconds at the rate measured in this visit; null before that. Its mean rate since it was ordered is
 * no measure, as an order may have waited in the queue for longer than it takes.
 */
function remainingMs({ pace, movedAt }: FileRow, { percent }: FileRecord, now: number): number | null {
  if (pace === null) return null
  // The longer progress has stalled, the less the measured rate is worth.
  const sinceMove = now - movedAt
  return Math.max((100 - percent) / pace - sinceMove, sinceMove / 2)
}

/** Time until the sandbox removes a file: `removed in 3 h 12 min`. */
export function expiryText(expiresAt: number, now: number): string {
  const left = expiresAt - now
  return left <= 0 ? 'being removed' : `removed in ${roughLength(left / 1000)}`
}

/** Files are marked in the list this long before a rule deletes them. */
export const leavesSoonMs = 8 * 24 * 3_600_000

/** What a retention rule deletes of a file soon: `recording goes 3 Dec · `; '' if nothing, or not soon. */
export function leavingText({ leaves }: FileRecord, now: number, dates: Dates): string {
  if (leaves === null) return ''
  const at = Date.parse(leaves.at)
  return at - now < leavesSoonMs ? `${leaves.what === 'all' ? '' : 'recording '}deleted ${dates.day(at, now)} · ` : ''
}
