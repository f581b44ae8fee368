import type { FileRecord } from '../../api/metadata-reader.ts'

/** True where the service gives a reason for a delay, or the delivery date has passed. */
export function isDelayed(record: FileRecord, now: number): boolean {
  return record.percent < 100 && (record.metadata.delay_reason !== null || record.dueAt < now)
}
