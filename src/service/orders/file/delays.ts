import { addBusinessDays } from '../../../contract/common/business-days.ts'
import { readStoredOptions } from '../../../contract/interface/option-values.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { changeFile } from './change-file.ts'
import { deliveryDate } from './due-dates.ts'

/** Why an order is late, as sentences for the customer (spec 2.2 `delay_reason`), keyed by the operator's names. */
export const delayReasons = {
  longer: 'The transcript takes longer than planned.',
  queue: 'More was ordered than usual, so the transcript takes longer than planned.',
  'poor-audio': 'The recording is hard to understand, so the transcript takes longer.',
  review: 'The transcript is checked once more before it is delivered.',
  fault: 'A fault on our side held the transcript up.',
  typists:
    'This service has no typists yet. The order waits: delete it for a full refund, or get it on the delivery date if nobody has begun.',
} as const
export type DelayReason = keyof typeof delayReasons

const ofOperators = new Set<string | null>(Object.values(delayReasons).filter((words) => words !== delayReasons.longer))

/** True for a reason given by an operator: automatic reasons do not replace it. */
export function isOperatorsReason(reason: string | null): boolean {
  return ofOperators.has(reason)
}

/**
 * A new delivery date of a late order: as if the remaining work had been ordered when it was due. Grows with the time
 * already waited, so that an order that nobody can finish is postponed ever less often.
 */
function nextDelivery(file: FileRow, now: number, waitMs: number): number {
  const from = Math.max(now, file.delivery_at)
  const options = readStoredOptions(file.options_json)
  const leftMs = Math.round((file.duration_ms * (100 - file.progress_percent)) / 100)
  const usual =
    options.transcript_type === 'manual' ? addBusinessDays(from, 1) : deliveryDate(options, leftMs, from, waitMs)
  return Math.max(usual, now + Math.round((now - file.created_at) / 2))
}

type Postponed = {
  /** the new date, milliseconds since 1970; null: computed from the remaining work */
  until?: number | null
  /** how long an automated order waits for earlier ones */
  waitMs?: number
  /** the operator did it, which the account's log says */
  inLog?: boolean
}

/**
 * Postpones an order: sets a new delivery date, and a reason unless it has one and none is given.
 * @returns the row afterwards, unchanged if it is ready or was given up; null if the file is deleted
 */
export function putOff(
  platform: Pick<Platform, 'db' | 'changes' | 'clock'>,
  fileId: string,
  reason: DelayReason | null,
  { until = null, waitMs = 0, inLog = false }: Postponed = {},
): Promise<FileRow | null> {
  const log = (trx: AccountTrx, { id, name, delivery_at }: FileRow) => {
    const detail = `delivery by ${iso(delivery_at)}, ${reason ?? 'late'}, set by the operator`
    return appendLog(trx, { action: 'account', detail, file: { id, name } }, platform.clock())
  }
  const decide = (file: FileRow) => {
    if (file.progress_percent === 100 || file.given_up === 1) return null
    const delay_reason = reason === null ? (file.delay_reason ?? delayReasons.longer) : delayReasons[reason]
    return { delay_reason, delivery_at: until ?? nextDelivery(file, platform.clock(), waitMs) }
  }
  return changeFile(platform, fileId, decide, inLog ? log : undefined)
}
