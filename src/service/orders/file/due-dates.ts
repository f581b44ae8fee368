import { dayMs } from '../../../contract/common/durations.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'

const manualBusinessDays = 3
/** An automated order waits in the queue, and is then recognized at least in real time. */
const automatedWaitMs = 10 * 60 * 1_000

function isWeekend(at: number): boolean {
  const day = new Date(at).getUTCDay()
  return day === 0 || day === 6
}

/** The same time of day, this many business days (Monday to Friday, UTC) later. Times in milliseconds since 1970. */
export function addBusinessDays(at: number, days: number): number {
  let result = at
  for (let left = days; left > 0; ) {
    result += dayMs
    if (!isWeekend(result)) left -= 1
  }
  return result
}

/**
 * When an order is due: three business days for a typed transcript, an estimate by length for an automated one.
 * @param waitMs how long it waits for earlier orders
 */
export function deliveryDate(options: OrderOptions, durationMs: number, now: number, waitMs = 0): number {
  return options.transcript_type === 'manual'
    ? addBusinessDays(now, manualBusinessDays)
    : now + automatedWaitMs + waitMs + durationMs
}
