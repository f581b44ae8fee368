import { ArrowUpToLine, Check, Split, X } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { Field } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { Menu, MenuCheck, MenuItem, MenuSeparator } from '../../base/ui/menu.tsx'
import type { Correcting } from '../desk/correcting.ts'
import type { Desk } from '../desk/desk.ts'

type Props = {
  desk: Desk
  correcting: Correcting
  /** speaker names to offer in addition to those in the text */
  offered?: readonly string[] | undefined
}
type BarProps = Props & { ref: RefObject<HTMLDivElement | null> }

/** Toolbar of the turn being edited. Pressing a button does not end editing: the caret stays. */
export function EditBar({ desk, correcting, offered, ref }: BarProps) {
  const editing = useSignal(correcting.editing)
  const naming = useSignal(correcting.naming)
  return (
    <>
      {editing !== null && editing.typed === undefined && (
        <div
          ref={ref}
          role="toolbar"
          aria-label="Correcting a turn"
          data-edit-tools
          className="flex flex-wrap items-center gap-2 border-t border-line bg-surface px-5 py-2 phone:px-3"
          onMouseDown={(event) => event.preventDefault()}
          onKeyDown={(event) => {
            if (event.key === 'Escape') correcting.resume()
          }}
        >
          <p className="mr-auto text-sm text-ink-2 max-[72rem]:hidden">
            Enter saves · Tab next turn · Esc cancels · F6 toolbar
          </p>
          <SpeakerMenu {...{ desk, correcting, offered }} word={editing.from} />
          <EditButtons correcting={correcting} isFirst={editing.from === 0} />
        </div>
      )}
      <NewSpeaker
        open={naming !== null}
        onClose={() => {
          correcting.naming.set(null)
          correcting.resume()
        }}
        onName={(name) => naming !== null && correcting.setSpeaker(naming, name)}
      />
    </>
  )
}

function EditButtons({ correcting, isFirst }: { correcting: Correcting; isFirst: boolean }) {
  return (
    <>
      <Button size="sm" onClick={() => correcting.splitAtCaret()}>
        <Split aria-hidden /> <span className="phone:sr-only">Split here</span>
      </Button>
      <Button size="sm" disabled={isFirst} onClick={() => correcting.mergeUp()}>
        <ArrowUpToLine aria-hidden /> <span className="phone:sr-only">Merge up</span>
      </Button>
      <Button size="sm" onClick={() => correcting.leave(false)}>
        <X aria-hidden /> <span className="phone:sr-only">Cancel</span>
      </Button>
      <Button size="sm" variant="primary" onClick={() => correcting.leave(true)}>
        <Check aria-hidden /> Done
      </Button>
    </>
  )
}

function SpeakerMenu({ desk, word, correcting, offered = [] }: Props & { word: number }) {
  const { table, names } = useSignal(desk.text.state)
  const speaker = table.speakerOf(word)
  const all = [...new Set([...names, ...offered])]
  return (
    <Menu trigger={<Button size="sm">{names[speaker] ?? 'Speaker'}</Button>}>
      {all.map((name, index) => (
        <MenuCheck
          key={name}
          checked={index === speaker}
          onChange={() => correcting.setSpeaker(word, name)}
          note={index < 9 && <span aria-hidden>Alt {index + 1}</span>}
          closes
        >
          <bdi>{name}</bdi>
        </MenuCheck>
      ))}
      {all.length > 0 && <MenuSeparator />}
      <MenuItem note={<span aria-hidden>Alt 0</span>} onSelect={() => correcting.nameSpeaker(word)}>
        New speaker…
      </MenuItem>
    </Menu>
  )
}

type NewSpeakerProps = { open: boolean; onClose: () => void; onName: (name: string) => void }

function NewSpeaker({ open, onClose, onName }: NewSpeakerProps) {
  const [name, setName] = useState('')
  const clean = name.trim().replaceAll(/\s+/g, ' ')
  return (
    <FormDialog
      open={open}
      title="Speaker of this turn"
      submit="Set speaker"
      isReady={clean !== ''}
      onSubmit={() => onName(clean)}
      onClose={() => {
        setName('')
        onClose()
      }}
    >
      <Field label="Name" value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
    </FormDialog>
  )
}
