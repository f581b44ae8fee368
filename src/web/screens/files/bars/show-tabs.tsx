import { pillClass } from '../../../base/ui/pill.tsx'
import { countText } from '../../../base/ui/sizes.ts'
import type { Show } from '../list/list-state.ts'

type Props = {
  show: Show
  /** null: not yet known */
  counts: Record<Show, number> | null
  /** the list is still loading, so the counts will grow */
  reading: boolean
  onChange: (show: Show) => void
}

const tabs: { show: Show; label: string }[] = [
  { show: 'all', label: 'All' },
  { show: 'progress', label: 'In progress' },
  { show: 'ready', label: 'Ready' },
  { show: 'delayed', label: 'Delayed' },
]

/** Tabs: all files, or those in a state, with their counts. */
export function ShowTabs({ show, counts, reading, onChange }: Props) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Show</legend>
      {tabs.map((tab) => (
        <button
          key={tab.show}
          type="button"
          aria-pressed={tab.show === show}
          onClick={() => onChange(tab.show)}
          className={`${pillClass(tab.show === show ? 'accent' : 'plain')} min-h-6 hover:text-ink forced-colors:border aria-pressed:forced-chosen`}
        >
          {tab.label} {counts && countText(counts[tab.show])}
          {reading && <span className="sr-only"> so far</span>}
        </button>
      ))}
    </fieldset>
  )
}
