import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../../base/ui/button.tsx'
import { Dialog } from '../../base/ui/dialog.tsx'
import { Kbd } from '../../base/ui/kbd.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { readChord } from '../../base/ui/shortcut-key.ts'
import type { Shortcut } from '../../transcript/desk/page-keys.ts'
import { BlockEditor } from '../../transcript/view/block-editor.ts'
import type { OwnKeys } from './desk-keys.ts'
import { pedalSwitches } from './pedal-actions.ts'

type Props = {
  /** with the own keys */
  shortcuts: readonly Shortcut[]
  own: OwnKeys
  onOwn: (own: OwnKeys) => void
  onClose: () => void
}

const groups = [
  { title: 'In the text and beside it', of: ['text'] },
  { title: 'While a turn is typed', of: ['typing'] },
  { title: 'Everywhere', of: ['anywhere'] },
  { title: 'While nothing is typed', of: ['reading'] },
] as const

/** Lists the desk's keys as they are, and sets others. */
export function KeysDialog({ shortcuts, own, onOwn, onClose }: Props) {
  const [wanted, setWanted] = useState<Shortcut | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useNextChord(wanted !== null, (chord) => {
    setWanted(null)
    if (wanted === null || chord === 'Escape') return
    const refusal = refuse(chord, wanted)
    setProblem(refusal)
    if (refusal === null) onOwn({ ...own, [chord]: wanted.name })
  })
  const pick = (shortcut: Shortcut) => {
    setProblem(null)
    setWanted(shortcut)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      width="lg"
      title="Keys"
      description="Press a row's button, then a key or a pedal switch, to give it that one too. Kept in this browser."
      actions={Object.keys(own).length > 0 && <Button onClick={() => onOwn({})}>Back to the usual keys</Button>}
    >
      {problem !== null && <Notice tone="warn">{problem}</Notice>}
      <div className="max-h-[60dvh] overflow-y-auto">
        <div className="columns-2 gap-8 phone:columns-1">
          {groups.map(({ title, of: [when] }) => (
            <Group key={title} title={title}>
              {when === 'typing' &&
                BlockEditor.keys.map(({ keys, does }) => <Row key={does} keys={keys.slice(0, 1)} does={does} />)}
              {shortcuts
                .filter((one) => one.when === when && one.does !== '')
                .map((one) => (
                  <Row key={one.name} {...one} isWanted={wanted?.name === one.name} onPick={() => pick(one)} />
                ))}
            </Group>
          ))}
        </div>
      </div>
    </Dialog>
  )
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="mb-4 grid break-inside-avoid gap-1">
      <h3 className="text-sm font-semibold text-ink-2">{title}</h3>
      <ul className="grid gap-0.5">{children}</ul>
    </section>
  )
}

type RowProps = Pick<Shortcut, 'keys' | 'does'> & { isWanted?: boolean; onPick?: () => void }

function Row({ keys, does, isWanted = false, onPick }: RowProps) {
  return (
    <li className="flex min-h-7 items-center gap-2">
      <span className="min-w-0 flex-1 truncate">{does}</span>
      {isWanted ? (
        <output className="text-sm text-accent">Press a key…</output>
      ) : (
        keys.map((chord) => (
          <span key={chord} data-chord={chord} className="flex gap-0.5">
            {chordParts(chord).map((part) => (
              <Kbd key={part}>{part}</Kbd>
            ))}
          </span>
        ))
      )}
      {onPick !== undefined && (
        <Button size="sm" variant="quiet" aria-label={`Another key: ${does}`} onClick={onPick}>
          …
        </Button>
      )}
    </li>
  )
}

const shortNames: Readonly<Record<string, string>> = { Escape: 'Esc', Delete: 'Del', Backspace: '⌫', ...pedalSwitches }

/** The keys of a chord as they are labelled: `Ctrl+Shift+z` is Ctrl, Shift and Z. */
function chordParts(chord: string): string[] {
  return chord.split(/\+(?=.)/).map((key) => shortNames[key] ?? (key.length === 1 ? key.toUpperCase() : key))
}

function refuse(chord: string, { when }: Shortcut): string | null {
  if (BlockEditor.keys.some(({ keys }) => keys.includes(chord))) return 'That key is the text’s own.'
  const types = /^(.|Space)$/u.test(chord)
  return types && when === 'typing' ? 'That key types. Add Ctrl or Alt, or use a function key.' : null
}

/** Passes on the next chord instead of letting it act. */
function useNextChord(isWaiting: boolean, onChord: (chord: string) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (['Control', 'Alt', 'Shift', 'Meta', 'AltGraph'].includes(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    onChord(readChord(event))
  })
  useEffect(() => {
    if (!isWaiting) return
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [isWaiting])
}
