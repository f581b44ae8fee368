import { addBusinessDays, manualBusinessDays } from '../../../contract/common/business-days.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'

/** An automated order waits in the queue, and is then recognized at least in real time. */
const automatedWaitMs = 10 * 60 * 1_000

/**
 * When an order is due: three business days for a typed transcript, an estimate by length for an automated one.
 * @param waitMs how long it waits for earlier orders
 */
export function deliveryDate(options: OrderOptions, durationMs: number, now: number, waitMs = 0): number {
  return options.transcript_type === 'manual'
    ? addBusinessDays(now, manualBusinessDays)
    : now + automatedWaitMs + waitMs + durationMs
}
