import { formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { Correcting } from './correcting.ts'
import type { Desk } from './desk.ts'

/** Replaces the current match, or all of them. */
export function replaceFound(desk: Desk, correcting: Correcting, by: string, all: boolean): void {
  const { query, current } = desk.find.state.get()
  const { places } = desk.find
  if (!correcting.ready || current < 0) return
  const wanted = all ? places : places.slice(current, current + 1)
  correcting.replace(wanted, query.length, by)
  if (all)
    showToast({ title: `${formatCount(wanted.length, 'match', 'matches')} replaced`, detail: 'Undo reverts them all.' })
}
