import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Correcting } from '../correcting.ts'
import type { Desk } from '../desk.ts'
import { useSignal } from '../signal.ts'
import { turnTime } from '../view/block-element.ts'
import type { Corrections } from './corrections.ts'
import type { Conflict } from './reapply.ts'

type Props = { desk: Desk; corrections: Corrections; correcting: Correcting; open: boolean; onClose: () => void }

/** Corrections that a newer text changed in the same place: both side by side, a person decides. */
export function ConflictsDialog({ desk, corrections, correcting, open, onClose }: Props) {
  const { conflicts } = useSignal(corrections.state)
  return (
    <Dialog
      open={open && conflicts.length > 0}
      onClose={onClose}
      width="lg"
      title="The text changed where you had corrected it"
      description="Choose which words stand. What you leave undecided stays here."
    >
      <ul className="grid max-h-[60dvh] gap-4 overflow-y-auto">
        {conflicts.map((conflict) => (
          <ConflictItem
            key={`${conflict.patch.from} ${conflict.patch.startSeconds}`}
            desk={desk}
            conflict={conflict}
            onSettle={(mine) => {
              const text = conflict.patch.words.map((word) => word.text).join(' ')
              const { place } = conflict
              const operation = mine && place !== null ? correcting.putOver(place.from, place.to, text) : null
              void corrections.settle(conflict, operation)
            }}
          />
        ))}
      </ul>
    </Dialog>
  )
}

type ItemProps = { desk: Desk; conflict: Conflict; onSettle: (mine: boolean) => void }

function ConflictItem({ desk, conflict, onSettle }: ItemProps) {
  const { table } = useSignal(desk.text.state)
  const { patch, place } = conflict
  const around = (words: string) => `… ${patch.before.join(' ')} ${words} ${patch.after.join(' ')} …`
  const mine = patch.words.map((word) => word.text).join(' ')
  return (
    <li className="grid gap-2 rounded-md border border-line p-3">
      <p className="font-mono text-xs text-ink-3">{turnTime(patch.startSeconds)}</p>
      <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
        <Side
          title="The newer transcript"
          text={place === null ? 'This place is gone.' : around(table.slice(place.from, place.to))}
        >
          <Button size="sm" onClick={() => onSettle(false)}>
            Keep this
          </Button>
        </Side>
        <Side title="Your correction" text={around(mine)}>
          <Button size="sm" variant="primary" disabled={place === null} onClick={() => onSettle(true)}>
            Use mine
          </Button>
        </Side>
      </div>
    </li>
  )
}

function Side({ title, text, children }: { title: string; text: string; children: React.ReactNode }) {
  return (
    <section className="grid content-between gap-2">
      <div>
        <h3 className="text-sm font-semibold">{title}</h3>
        <p dir="auto" className="font-serif text-md">
          {text}
        </p>
      </div>
      <div>{children}</div>
    </section>
  )
}
