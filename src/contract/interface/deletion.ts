import { deletionLockedFromPercent } from './limits.ts'
import { divideHalfUp } from './price.ts'

/** Row of spec 3's deletion table for a file at this progress. */
export type DeletionWindow = 'refunded' | 'locked' | 'free'

/** Below 60: deletable with a refund; 60 to under 100: locked; 100: deletable without refund (spec 3). */
export function deletionWindow(progressPercent: number): DeletionWindow {
  if (progressPercent >= 100) return 'free'
  return progressPercent >= deletionLockedFromPercent ? 'locked' : 'refunded'
}

/** Refund on deletion: total × (100 − progress) / 100, half up to the cent (decision 10). */
export function refundCents(totalCents: number, progressPercent: number): number {
  return divideHalfUp(totalCents * (100 - Math.floor(progressPercent)), 100)
}
