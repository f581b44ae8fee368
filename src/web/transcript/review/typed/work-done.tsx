import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { FileWork, WorkSection } from '../../../../contract/account/manual-work.ts'
import { account } from '../../../base/api/account.ts'
import type { Session } from '../../../base/api/client.ts'
import { fileWorkQuery } from '../../../base/api/file-work.ts'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { Button } from '../../../base/ui/button.tsx'
import { clockText } from '../../../base/ui/duration.ts'
import { countText, formatCount } from '../../../base/ui/sizes.ts'
import type { Desk } from '../../desk/desk.ts'
import { showTyped } from './show-typed.ts'
import { newestChange, type TypedText, typedText } from './typed-text.ts'

const looks: Record<WorkSection['state'], { words: string; fill: string }> = {
  waiting: { words: 'not begun', fill: 'bg-line' },
  typing: { words: 'being typed', fill: 'bg-accent-soft' },
  typed: { words: 'typed', fill: 'bg-accent/60' },
  reviewed: { words: 'typed and reviewed', fill: 'bg-accent' },
}

type Props = { desk: Desk; session: Session; record: FileRecord }

/**
 * Progress of a manual order, part by part, with its text below and missing and new parts marked; pressing a part plays
 * it. Renders nothing if nobody works on it.
 */
export function WorkDone({ desk, session, record }: Props) {
  const { id, percent } = record
  const enabled = useQuery(account.overview(session)).data?.features.manual_typing === 'staff'
  const { data } = useQuery({ ...fileWorkQuery(session, id, percent), enabled })
  // Fixed for this visit: changes seen now are no longer new the next time.
  const [since] = useState(() => lastLook(session, id))
  const typed = useMemo(() => (data === undefined || data.parts === 0 ? null : typedText(data, since)), [data, since])
  useEffect(() => (typed === null ? undefined : showTyped(desk, typed)), [desk, typed])
  useEffect(() => {
    const newest = data && newestChange(data)
    if (newest) rememberLook(session, id, newest)
  }, [data, session, id])
  if (data === undefined || typed === null) return null
  return (
    <div className="grid basis-full gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="text-sm">
          {nowText(data)}. {workText(data)}
        </p>
        <NewParts desk={desk} typed={typed} />
      </div>
      <Parts work={data} typed={typed} onPlay={(word, seconds) => playPart(desk, word, seconds)} />
    </div>
  )
}

function playPart(desk: Desk, word: number, seconds: number): void {
  desk.view?.scrollToWord(word)
  desk.following.set(true)
  if (desk.playback.state.get().status !== 'none') desk.playback.playFrom(seconds)
}

/** The number of parts that are new since the last look; each press goes to the next of them. */
function NewParts({ desk, typed }: { desk: Desk; typed: TypedText }) {
  const [next, setNext] = useState(0)
  const found = typed.sections.filter(({ isNew }) => isNew)
  if (found.length === 0) return null
  const show = () => {
    desk.view?.scrollToWord(found[next % found.length]?.words.from ?? 0)
    setNext(next + 1)
  }
  return (
    <Button size="sm" onClick={show}>
      {formatCount(found.length, 'part')} new since you looked last
    </Button>
  )
}

type PartsProps = { work: FileWork; typed: TypedText; onPlay: (word: number, seconds: number) => void }

function Parts({ work: { sections }, typed, onPlay }: PartsProps) {
  return (
    <ol aria-label="Parts" className="flex h-5 gap-0.5">
      {sections.map(({ start, end, state, blanks }, at) => {
        const stretch = `${clockText(start)} to ${clockText(end)}`
        const missing = blanks === 0 ? '' : `, ${formatCount(blanks, 'blank')}`
        const isNew = typed.sections[at]?.isNew === true
        const label = `${stretch}: ${looks[state].words}${missing}${isNew ? ', new' : ''}`
        return (
          <li key={start} className="flex min-w-0" style={{ flexGrow: end - start }}>
            <button
              type="button"
              aria-label={`Play ${label}`}
              data-tooltip={label}
              onClick={() => onPlay(typed.sections[at]?.words.from ?? 0, start)}
              className={`h-full w-full min-w-0 rounded-sm ${looks[state].fill} ${isNew ? 'border-b-4 border-ok' : ''}`}
            >
              {blanks > 0 && <span className="text-xs font-semibold">{countText(blanks)}</span>}
            </button>
          </li>
        )
      })}
    </ol>
  )
}

/* When an order in progress was last viewed on this device: anything finished since is new to the user. */

const storageKey = ({ environment, account }: Session, id: string) => `parley.looked.${environment}.${account}.${id}`

/** The newest change that was seen, ISO 8601; null if it was never viewed. */
function lastLook(session: Session, id: string): string | null {
  try {
    return localStorage.getItem(storageKey(session, id))
  } catch {
    return null
  }
}

/** Stores the newest change seen. If storage fails, nothing is marked as new next time. */
function rememberLook(session: Session, id: string, newest: string): void {
  try {
    localStorage.setItem(storageKey(session, id), newest)
  } catch {
    // As above.
  }
}

/** What is happening to the order now. */
export function nowText({ now, parts, typed, reviewed }: FileWork): string {
  if (now === 'typing') return 'It is being typed'
  if (now === 'reviewing') return 'Somebody else reads it against the sound'
  if (now === 'checking') return 'The whole is being checked'
  if (now === 'releasing') return 'It is checked, and looked at once more before it is delivered'
  if (now === 'done') return 'It is being delivered'
  if (typed < parts) return typed === 0 ? 'It waits for a typist' : 'The rest waits for a typist'
  return reviewed < parts ? 'It waits to be reviewed' : 'It waits to be checked as a whole'
}

/** `12 of 14 parts typed, 5 reviewed; 2 blanks` */
export function workText({ parts, typed, reviewed, is_checked, blanks }: FileWork): string {
  const done =
    typed === 0
      ? `${formatCount(parts, 'part')}, none typed yet`
      : `${countText(typed)} of ${formatCount(parts, 'part')} typed, ${
          is_checked ? 'checked as a whole' : `${reviewed === 0 ? 'none' : countText(reviewed)} reviewed`
        }`
  return blanks === 0 ? done : `${done}; ${formatCount(blanks, 'blank')}`
}
