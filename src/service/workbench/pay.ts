import { centsToDecimal } from '../../contract/interface/price.ts'
import type { WorkStep } from '../../contract/work/staff.ts'

/** What the operator pays the staff: an amount of `currency` (ISO 4217) for a minute of sound, by step. */
export type WorkPay = { currency: string; perMinute: Readonly<Partial<Record<WorkStep, number>>> }

/** What a step of so much sound is paid, in whole cents; null: nothing is set for it. */
export function payCents(pay: WorkPay | null, step: WorkStep, soundMs: number): number | null {
  const perMinute = pay?.perMinute[step]
  return perMinute === undefined ? null : Math.round((perMinute * 100 * soundMs) / 60_000)
}

/** `EUR 4.80`; null: nothing is set */
export function payWords(pay: WorkPay | null, cents: number | null): string | null {
  return pay === null || cents === null ? null : `${pay.currency} ${centsToDecimal(cents)}`
}
