import { useState } from 'react'
import { useSignal } from '../../base/state/signal.ts'
import type { CorrectionPlace, Corrections } from '../edit/corrections.ts'

/** Counts completed syncs of this device's corrections: data that depends on them is then reloaded. */
export function useSyncs({ where }: Corrections): number {
  const place = useSignal(where)
  const [last, setLast] = useState({ place: null as CorrectionPlace | null, syncs: 0 })
  if (place.kind === 'kept' && place !== last.place) setLast({ place, syncs: last.syncs + 1 })
  return last.syncs
}
