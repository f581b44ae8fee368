import { useMemo } from 'react'
import type { Desk } from '../desk.ts'
import { speakingSeconds } from '../model/speakers.ts'
import { useSignal } from '../signal.ts'
import { voices } from '../view/block-element.ts'
import { PanelSection } from './side-panel.tsx'

/** Who speaks, and for what share of the time. */
export function SpeakerShares({ desk }: { desk: Desk }) {
  const { table, names, named } = useSignal(desk.text.state)
  const shares = useMemo(() => {
    const seconds = speakingSeconds(table, names.length)
    const total = seconds.reduce((sum, one) => sum + one, 0)
    return Array.from(seconds, (one) => (total > 0 ? Math.round((one / total) * 100) : 0))
  }, [table, names])
  if (names.length === 0) {
    return named && table.count > 0 ? (
      <PanelSection title="Speakers">
        <p className="text-sm text-ink-2">This transcript does not name its speakers.</p>
      </PanelSection>
    ) : null
  }
  return (
    <PanelSection title="Speakers">
      <ul className="grid gap-2">
        {names.map((name, index) => (
          <li key={name} data-voice={index % voices} className="flex items-center gap-2 text-sm">
            <span aria-hidden className="size-2 shrink-0 rounded-full bg-(--voice)" />
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {name}
            </span>
            <span className="text-ink-3 tabular-nums">{shares[index]} %</span>
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}
