import { Signal, useSignal } from '../../base/state/signal.ts'
import type { CorrectionPlace, Corrections } from '../edit/corrections.ts'

const counts = new WeakMap<Corrections, Signal<number>>()

/** Counts completed syncs of this device's corrections: data that depends on them is then reloaded. */
export function useSyncs(corrections: Corrections): number {
  const count = counts.get(corrections) ?? countSyncs(corrections)
  counts.set(corrections, count)
  return useSignal(count)
}

/** One count for all sections that show the same data, however late they are rendered. */
function countSyncs({ where }: Corrections): Signal<number> {
  let last: CorrectionPlace | null = null
  const countTo = (before: number) => {
    const place = where.get()
    if (place.kind !== 'kept' || place === last) return before
    last = place
    return before + 1
  }
  const count: Signal<number> = new Signal(countTo(0), (set) => {
    const hear = () => set(countTo(count.get()))
    hear()
    return where.subscribe(hear)
  })
  return count
}
