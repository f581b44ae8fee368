import { useMemo, useState } from 'react'
import { useSignal } from '../../state/signal.ts'
import { inputClass } from '../../ui/field.tsx'
import type { Correcting } from '../desk/correcting.ts'
import type { Desk } from '../desk/desk.ts'
import { speakingSeconds } from '../model/speakers.ts'
import { voices } from '../view/block-element.ts'
import { PanelSection } from './panel-section.tsx'

/** Who speaks, and for what share of the time. */
export function SpeakerShares({ desk, correcting }: { desk: Desk; correcting: Correcting | null }) {
  const [renamed, setRenamed] = useState<number | null>(null)
  const state = useSignal(desk.text.state)
  const { table, names, named } = state
  const shares = useMemo(() => {
    const seconds = speakingSeconds(table, names.length)
    const total = seconds.reduce((sum, one) => sum + one, 0)
    return Array.from(seconds, (one) => (total > 0 ? Math.round((one / total) * 100) : 0))
  }, [table, names])
  // A name that was joined with another stays in the list of names, for undo; nobody speaks under it.
  const speaking = useMemo(() => new Set(state.table.speakers.subarray(0, state.table.count)), [state])
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
        {names.map(
          (name, index) =>
            speaking.has(index) && (
              <li key={name} data-voice={index % voices} className="flex items-center gap-2 text-sm">
                <span aria-hidden className="size-2 shrink-0 rounded-full bg-(--voice)" />
                {renamed === index ? (
                  <RenameField
                    name={name}
                    onEnd={(next) => {
                      setRenamed(null)
                      if (next !== null) correcting?.rename(index, next)
                    }}
                  />
                ) : (
                  <button
                    type="button"
                    disabled={correcting === null}
                    onClick={() => setRenamed(index)}
                    aria-label={`Rename ${name}`}
                    className="min-h-6 min-w-0 flex-1 cursor-text truncate rounded-sm text-left enabled:hover:underline"
                  >
                    <bdi>{name}</bdi>
                  </button>
                )}
                <span className="text-ink-3 tabular-nums">{shares[index]} %</span>
              </li>
            ),
        )}
      </ul>
    </PanelSection>
  )
}

type RenameProps = { name: string /** null: leave it as it was */; onEnd: (name: string | null) => void }

/** A name being typed; Enter or leaving takes it over everywhere. */
function RenameField({ name, onEnd }: RenameProps) {
  const [value, setValue] = useState(name)
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was just pressed
      autoFocus
      aria-label={`New name of ${name}`}
      value={value}
      onChange={(event) => setValue(event.target.value)}
      onBlur={() => onEnd(value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onEnd(value)
        if (event.key === 'Escape') onEnd(null)
      }}
      className={`${inputClass} h-7 flex-1`}
    />
  )
}
