import { useEffect } from 'react'
import type { Place } from '../../../text/patches.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { Dialog } from '../../base/ui/dialog.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import type { Correcting } from '../desk/correcting.ts'
import type { Desk } from '../desk/desk.ts'
import type { Corrections } from '../edit/corrections.ts'
import { currentRange } from '../edit/current-range.ts'
import type { Conflict, WordsConflict } from '../edit/reapply.ts'
import type { WordTable } from '../model/word-table.ts'
import { turnTime } from '../view/block-element.ts'

type Props = { desk: Desk; corrections: Corrections; correcting: Correcting; open: boolean; onClose: () => void }

/** Conflicting corrections of words and names, side by side with the other change, for the user to resolve. */
export function ConflictsDialog({ desk, corrections, correcting, open, onClose }: Props) {
  const { conflicts } = useSignal(corrections.state)
  const isDecided = open && conflicts.length === 0
  // Else the next conflict would open it over whatever the customer does then.
  useEffect(() => {
    if (isDecided) onClose()
  }, [isDecided, onClose])
  const resolve = (conflict: Conflict, mine: boolean) => {
    if ('name' in conflict) {
      void corrections.resolve(conflict, null)
      if (mine) correcting.rename(conflict.speaker, conflict.name)
      return
    }
    const now = currentPlace(desk.text.state.get().table, conflict, corrections)
    const operation = mine && now !== null ? correcting.replaceWords(now.from, now.to, conflict.patch.words) : null
    void corrections.resolve(conflict, operation)
  }
  return (
    <Dialog
      open={open && conflicts.length > 0}
      onClose={onClose}
      width="lg"
      title="Conflicts"
      description="Somebody else, or a newer transcript, changed what you corrected. Choose which to use; you can also close this and decide later."
    >
      <ul className="grid max-h-[60dvh] gap-4 overflow-y-auto">
        {conflicts.map((conflict) => (
          <ConflictItem
            key={conflictKey(conflict)}
            desk={desk}
            corrections={corrections}
            conflict={conflict}
            onResolve={(mine) => resolve(conflict, mine)}
          />
        ))}
      </ul>
    </Dialog>
  )
}

type BarProps = Pick<Props, 'desk' | 'corrections'> & { onChoose: () => void }

/** Asks for a decision on the first conflict, above the player; nothing if there is none. */
export function ConflictsBar({ desk, corrections, onChoose }: BarProps) {
  const { conflicts } = useSignal(corrections.state)
  const { table, names } = useSignal(desk.text.state)
  const [first] = conflicts
  if (first === undefined) return null
  const now = 'name' in first ? null : currentPlace(table, first, corrections)
  const theirs = 'name' in first ? (names[first.speaker] ?? '') : now && table.slice(now.from, now.to)
  const mine = 'name' in first ? first.name : first.patch.words.map(({ text }) => text).join(' ')
  return (
    <section
      aria-label="Conflicts"
      className="flex items-center gap-3 border-t border-warn/30 bg-warn-soft px-5 py-2 text-warn phone:px-4"
    >
      <p role="status" className="mr-auto min-w-0 truncate">
        <span className="font-semibold">{formatCount(conflicts.length, 'conflict')}</span> · {quoted(theirs)} or{' '}
        {quoted(mine)}?
      </p>
      <Button size="sm" onClick={onChoose}>
        Choose
      </Button>
    </section>
  )
}

const quoted = (words: string | null) => <bdi>{words ? `“${words}”` : 'nothing'}</bdi>

type ItemProps = Pick<Props, 'desk' | 'corrections'> & { conflict: Conflict; onResolve: (mine: boolean) => void }

function ConflictItem({ desk, corrections, conflict, onResolve }: ItemProps) {
  const { table, names } = useSignal(desk.text.state)
  const isName = 'name' in conflict
  const now = isName ? null : currentPlace(table, conflict, corrections)
  const theirs = isName ? nameExcerpt(names[conflict.speaker] ?? '') : now && currentExcerpt(table, now)
  return (
    <li className="grid gap-2 rounded-md border border-line p-3">
      <p className="font-mono text-xs text-ink-3">{isName ? 'Speaker' : turnTime(conflict.patch.startSeconds)}</p>
      <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
        <Side title="Now" text={theirs}>
          <Button size="sm" onClick={() => onResolve(false)}>
            Use this
          </Button>
        </Side>
        <Side title="Yours" text={isName ? nameExcerpt(conflict.name) : correctedExcerpt(conflict)}>
          <Button size="sm" variant="primary" disabled={theirs === null} onClick={() => onResolve(true)}>
            Use mine
          </Button>
        </Side>
      </div>
    </li>
  )
}

function conflictKey(conflict: Conflict): string {
  if ('name' in conflict) return `speaker ${conflict.speaker} ${conflict.name}`
  const { from, startSeconds, words } = conflict.patch
  return `${from} ${startSeconds} ${words.map(({ text }) => text).join(' ')}`
}

const nameExcerpt = (words: string): Excerpt => ({ before: '', words, after: '' })

/** Differing words, with some context. */
type Excerpt = { before: string; words: string; after: string }

/** The words now in the place of a conflict; null if there is no such place any more. */
const currentPlace = (table: WordTable, { place }: WordsConflict, corrections: Corrections) =>
  place && currentRange(table, place, corrections.base?.table.count ?? place.to)

const contextWords = 4

function currentExcerpt(table: WordTable, { from, to }: Place): Excerpt {
  return {
    before: table.slice(Math.max(0, from - contextWords), from),
    words: table.slice(from, to),
    after: table.slice(to, Math.min(table.count, to + contextWords)),
  }
}

/** The end of a turn is shown as a pilcrow: `we ¶ begin`. */
function correctedExcerpt({ patch }: WordsConflict): Excerpt {
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
            {text.before && `… ${text.before} `}
            <mark className="rounded-xs bg-accent-soft text-inherit">{text.words}</mark>
            {text.after && ` ${text.after} …`}
          </p>
        )}
      </div>
      <div>{children}</div>
    </section>
  )
}
