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

/** Corrections of places that a newer text changed, too: shows both side by side, and a person decides. */
export function ConflictsDialog({ desk, corrections, correcting, open, onClose }: Props) {
  const { conflicts } = useSignal(corrections.state)
  return (
    <Dialog
      open={open && conflicts.length > 0}
      onClose={onClose}
      width="lg"
      title="The transcript changed where you corrected it"
      description="Choose which text to use. You can close this and decide later."
    >
      <ul className="grid max-h-[60dvh] gap-4 overflow-y-auto">
        {conflicts.map((conflict) => (
          <ConflictItem
            key={`${conflict.patch.from} ${conflict.patch.startSeconds}`}
            desk={desk}
            conflict={conflict}
            onResolve={(mine) => {
              const { table } = desk.text.state.get()
              const now = conflict.place === null ? null : currentSpan(table, conflict.place)
              const operation =
                mine && now !== null ? correcting.replaceWords(now.from, now.to, conflict.patch.words) : null
              void corrections.resolve(conflict, operation)
            }}
          />
        ))}
      </ul>
    </Dialog>
  )
}

type ItemProps = { desk: Desk; conflict: Conflict; onResolve: (mine: boolean) => void }

function ConflictItem({ desk, conflict, onResolve }: ItemProps) {
  const { table } = useSignal(desk.text.state)
  const { patch, place } = conflict
  const now = place === null ? null : currentSpan(table, place)
  return (
    <li className="grid gap-2 rounded-md border border-line p-3">
      <p className="font-mono text-xs text-ink-3">{turnTime(patch.startSeconds)}</p>
      <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
        <Side title="New transcript" text={now === null ? null : currentExcerpt(table, now)}>
          <Button size="sm" onClick={() => onResolve(false)}>
            Use new
          </Button>
        </Side>
        <Side title="Your correction" text={correctedExcerpt(conflict)}>
          <Button size="sm" variant="primary" disabled={now === null} onClick={() => onResolve(true)}>
            Use mine
          </Button>
        </Side>
      </div>
    </li>
  )
}

/** Words that differ, with some words around them. */
type Excerpt = { before: string; words: string; after: string }

/** Finds the current words of a place, given by the service's numbers. */
function currentSpan(table: WordTable, { from, to }: { from: number; to: number }): { from: number; to: number } {
  const first = table.indexOfOrigin(from)
  return { from: first, to: to > from ? Math.max(first, table.indexOfOrigin(to - 1) + 1) : first }
}

const contextWords = 4

function currentExcerpt(table: WordTable, { from, to }: { from: number; to: number }): Excerpt {
  return {
    before: table.slice(Math.max(0, from - contextWords), from),
    words: table.slice(from, to),
    after: table.slice(to, Math.min(table.count, to + contextWords)),
  }
}

/** The end of a turn is shown as a sign: `we ¶ begin`. */
function correctedExcerpt({ patch }: Conflict): Excerpt {
  const last = patch.words.length - 1
  return {
    before: patch.before.join(' '),
    words: patch.words.map(({ text, endsTurn }, index) => (endsTurn && index < last ? `${text} ¶` : text)).join(' '),
    after: patch.after.join(' '),
  }
}

function Side({ title, text, children }: { title: string; text: Excerpt | null; children: React.ReactNode }) {
  return (
    <section className="grid content-between gap-2">
      <div>
        <h3 className="text-sm font-semibold">{title}</h3>
        {text === null ? (
          <p className="text-md text-ink-2">The new transcript ends before this place.</p>
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
