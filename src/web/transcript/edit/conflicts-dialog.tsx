import { useSignal } from '../../state/signal.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Correcting } from '../desk/correcting.ts'
import type { Desk } from '../desk/desk.ts'
import type { WordTable } from '../model/word-table.ts'
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
              const { table } = desk.text.state.get()
              const now = conflict.place === null ? null : spanNow(table, conflict.place)
              const operation = mine && now !== null ? correcting.putOver(now.from, now.to, conflict.patch.words) : null
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
  const now = place === null ? null : spanNow(table, place)
  return (
    <li className="grid gap-2 rounded-md border border-line p-3">
      <p className="font-mono text-xs text-ink-3">{turnTime(patch.startSeconds)}</p>
      <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
        <Side title="The newer transcript" text={now === null ? null : textNow(table, now)}>
          <Button size="sm" onClick={() => onSettle(false)}>
            Keep this
          </Button>
        </Side>
        <Side title="Your correction" text={textOfMine(conflict)}>
          <Button size="sm" variant="primary" disabled={now === null} onClick={() => onSettle(true)}>
            Use mine
          </Button>
        </Side>
      </div>
    </li>
  )
}

/** Words that differ, and some of those around them. */
type Differing = { before: string; words: string; after: string }

/** Where a place stands in the text as it is now, with other corrections in it. */
function spanNow(table: WordTable, { from, to }: { from: number; to: number }): { from: number; to: number } {
  const first = table.indexOfOrigin(from)
  return { from: first, to: to > from ? Math.max(first, table.indexOfOrigin(to - 1) + 1) : first }
}

const shownAround = 4

function textNow(table: WordTable, { from, to }: { from: number; to: number }): Differing {
  return {
    before: table.slice(Math.max(0, from - shownAround), from),
    words: table.slice(from, to),
    after: table.slice(to, Math.min(table.count, to + shownAround)),
  }
}

/** A new turn is told by its sign: `we ¶ begin`. */
function textOfMine({ patch }: Conflict): Differing {
  const last = patch.words.length - 1
  return {
    before: patch.before.join(' '),
    words: patch.words.map(({ text, endsTurn }, index) => (endsTurn && index < last ? `${text} ¶` : text)).join(' '),
    after: patch.after.join(' '),
  }
}

function Side({ title, text, children }: { title: string; text: Differing | null; children: React.ReactNode }) {
  return (
    <section className="grid content-between gap-2">
      <div>
        <h3 className="text-sm font-semibold">{title}</h3>
        {text === null ? (
          <p className="text-md text-ink-2">The recording does not go so far any more.</p>
        ) : (
          <p dir="auto" className="font-serif text-md wrap-anywhere">
            … {text.before} <mark className="rounded-xs bg-accent-soft text-inherit">{text.words}</mark> {text.after} …
          </p>
        )}
      </div>
      <div>{children}</div>
    </section>
  )
}
