import { Pencil } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useSignal } from '../../base/state/signal.ts'
import { inputClass } from '../../base/ui/field.tsx'
import { IconButton } from '../../base/ui/icon-button.tsx'
import type { Correcting } from '../desk/correcting.ts'
import type { Desk } from '../desk/desk.ts'
import { nextTurnBy, speakingSeconds } from '../model/speakers.ts'
import { voices } from '../view/block-element.ts'
import { PanelSection } from './panel-section.tsx'

type Props = {
  desk: Desk
  correcting: Correcting | null
  /** called when the text should be shown */
  onShow: () => void
}

/** The speakers and their shares of the time; a press on one shows the next turn. */
export function SpeakerShares({ desk, correcting, onShow }: Props) {
  const jump = useJump(desk)
  const state = useSignal(desk.text.state)
  const { table, names, named } = state
  const shares = useMemo(() => {
    const seconds = speakingSeconds(table, names.length)
    const total = seconds.reduce((sum, one) => sum + one, 0)
    return Array.from(seconds, (one) => (total > 0 ? Math.round((one / total) * 100) : 0))
  }, [table, names])
  // The table is the same object while it grows: `state` signals changes.
  // A name merged into another stays in the list of names, for undo; nobody speaks under it.
  const speaking = useMemo(() => new Set(state.table.speakers.subarray(0, state.table.count)), [state])
  if (names.length === 0 && (!named || table.count === 0)) return null
  return (
    <PanelSection title="Speakers">
      {names.length === 0 ? (
        <p className="text-sm text-ink-2">This transcript does not identify speakers.</p>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {names.map(
            (name, index) =>
              speaking.has(index) && (
                <li key={name} data-voice={index % voices} className="flex items-center gap-2 text-sm">
                  <span
                    aria-hidden
                    className="size-2 shrink-0 rounded-full bg-(--voice) forced-colors:bg-[CanvasText]"
                  />
                  <SpeakerName
                    name={name}
                    onJump={() => {
                      onShow()
                      jump(index)
                    }}
                    onRename={correcting && ((next) => correcting.rename(index, next))}
                  />
                  <span className="text-ink-3 tabular-nums">{shares[index]}%</span>
                </li>
              ),
          )}
        </ul>
      )}
    </PanelSection>
  )
}

/** Goes to a speaker's next turn: after the one shown last, unless the reader has scrolled since. */
function useJump(desk: Desk): (speaker: number) => void {
  const last = useRef<{ block: number; top: number } | null>(null)
  return (speaker) => {
    const { view } = desk
    if (view === null) return
    const text = desk.text.state.get()
    const hasStayed = last.current?.top === view.topWord()
    const after = hasStayed ? (last.current?.block ?? 0) : text.blocks.blockOf(view.topWord()) - 1
    const block = nextTurnBy(text, speaker, after)
    if (block === null) return
    const { from, end } = text.blocks.turnOf(block)
    desk.goToWord(from)
    view.scrollToWord(from)
    view.highlightSpan({ from, to: end })
    last.current = { block, top: view.topWord() }
  }
}

type NameProps = { name: string; onJump: () => void; onRename: ((name: string) => void) | null }

/** A speaker's name, which leads to the next turn, and a pencil to rename it if there is `onRename`. */
function SpeakerName({ name, onJump, onRename }: NameProps) {
  const [isRenaming, setIsRenaming] = useState(false)
  if (isRenaming) {
    return (
      <RenameField
        name={name}
        onEnd={(next) => {
          setIsRenaming(false)
          if (next !== null) onRename?.(next)
        }}
      />
    )
  }
  return (
    <>
      <button
        type="button"
        onClick={onJump}
        aria-label={`${name}: next turn`}
        className="min-h-6 min-w-0 flex-1 truncate rounded-sm text-left hover:underline"
      >
        <bdi>{name}</bdi>
      </button>
      {onRename && (
        <IconButton label={`Rename ${name}`} className="-my-1" onClick={() => setIsRenaming(true)}>
          <Pencil aria-hidden />
        </IconButton>
      )}
    </>
  )
}

type RenameProps = { name: string /** null: leave it unchanged */; onEnd: (name: string | null) => void }

/** A name being edited; Enter or leaving the field applies it everywhere. */
function RenameField({ name, onEnd }: RenameProps) {
  const [value, setValue] = useState(name)
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was just pressed
      autoFocus
      aria-label={`New name of ${name}`}
      value={value}
      onFocus={(event) => event.target.select()}
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
