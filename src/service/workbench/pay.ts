import { centsToDecimal } from '../../contract/interface/price.ts'
import type { WorkStep } from '../../contract/work/staff.ts'
import type { WorkPay } from '../platform/setting-readers.ts'

/** Pay for a step over this much audio, in whole cents; null if no rate is set. */
export function payCents(pay: WorkPay | null, step: WorkStep, soundMs: number): number | null {
  const perMinute = pay?.perMinute[step]
  return perMinute === undefined ? null : Math.round((perMinute * 100 * soundMs) / 60_000)
}

/** `EUR 4.80`; null if no rate is set */
export function payWords(pay: WorkPay | null, cents: number | null): string | null {
  return pay === null || cents === null ? null : `${pay.currency} ${centsToDecimal(cents)}`
}
