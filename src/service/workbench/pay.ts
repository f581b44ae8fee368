import { centsToDecimal } from '../../contract/interface/price.ts'
import type { WorkStep } from '../../contract/work/staff.ts'
import type { WorkPay } from '../platform/setting-readers.ts'

/** What a step of so much sound is paid, in whole cents; null: nothing is set for it. */
export function payCents(pay: WorkPay | null, step: WorkStep, soundMs: number): number | null {
  const perMinute = pay?.perMinute[step]
  return perMinute === undefined ? null : Math.round((perMinute * 100 * soundMs) / 60_000)
}

/** `EUR 4.80`; null: nothing is set */
export function payWords(pay: WorkPay | null, cents: number | null): string | null {
  return pay === null || cents === null ? null : `${pay.currency} ${centsToDecimal(cents)}`
}
