import './re-review.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Flag, X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ReReviewState } from '../../../../contract/account/manual-work.ts'
import type { Session } from '../../../base/api/client.ts'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { reReviewQuery } from '../../../base/api/re-review.ts'
import { useSignal } from '../../../base/state/signal.ts'
import { Button } from '../../../base/ui/button.tsx'
import { IconButton } from '../../../base/ui/icon-button.tsx'
import { Kbd } from '../../../base/ui/kbd.tsx'
import { Notice } from '../../../base/ui/notice.tsx'
import { formatCount } from '../../../base/ui/sizes.ts'
import { useDates } from '../../../signed-in/preferences/preferred-dates.ts'
import type { Desk } from '../../desk/desk.ts'
import type { OpenDesk } from '../../desk/open-desk.ts'
import { isUsedByFocus } from '../../desk/page-keys.ts'
import type { WordSpan } from '../../model/word.ts'
import { PanelSection } from '../../panel/panel-section.tsx'
import { blockOfNode, selectedWords } from '../../view/selection.ts'
import { markWords } from '../../view/vocabulary-marks.ts'
import { findSpans, Places, toPlace } from './places.ts'
import { SendDialog } from './send-dialog.tsx'

/* Everything the page shows of the re-review: one lazy chunk, loaded for transcripts typed by people. */

type Props = OpenDesk & { session: Session; record: FileRecord }

function useReReview(session: Session, { id, readyAt }: FileRecord): ReReviewState | null {
  return useQuery({ ...reReviewQuery(session, id, readyAt), placeholderData: keepPreviousData }).data ?? null
}

/**
 * Whether a re-review can be requested, is in progress, or is done. @param onMark called when the text should be shown
 */
export function ReReviewSection({ desk, session, record, onMark }: Props & { onMark: () => void }) {
  const dates = useDates()
  const state = useReReview(session, record)
  const places = Places.of(desk)
  if (state === null) return null
  return (
    <PanelSection title="Re-review">
      {state.state === 'possible' ? (
        <>
          <p className="text-sm text-ink-2">
            Once and free: mark places, and people hear them again and fix what is wrong.
          </p>
          <Button
            size="sm"
            className="justify-self-start"
            onClick={() => {
              onMark()
              places.marking.set(true)
              desk.view?.focusBlock(null)
            }}
          >
            Mark places
          </Button>
        </>
      ) : (
        <p role="status" className="text-sm text-ink-2">
          {state.state === 'open'
            ? `Your re-review is being worked on: ${formatCount(state.places, 'place')}. The transcript stays ready meanwhile, and the new version replaces it.`
            : `Your re-review was done${state.done === null ? '' : ` ${dates.moment(Date.parse(state.done))}`}. It can be asked for once.`}
        </p>
      )}
    </PanelSection>
  )
}

/** Below the text: a notice of a newer version, or the marked places. */
export function ReReviewBar({ desk, correcting, session, record }: Props) {
  const places = Places.of(desk)
  const state = useReReview(session, record)
  const marking = useSignal(places.marking)
  const editing = useSignal(correcting.editing)
  // Unknown until the list of files is loaded.
  const [shown, setShown] = useState(record.readyAt)
  if (Number.isNaN(shown) && !Number.isNaN(record.readyAt)) setShown(record.readyAt)
  if (record.readyAt > shown) return <NewVersion state={state} />
  if (!marking || editing !== null || state?.state !== 'possible') return null
  return <MarkingBar {...{ desk, places, session }} id={record.id} />
}

function NewVersion({ state }: { state: ReReviewState | null }) {
  return (
    <div className="border-t border-line bg-surface px-5 py-2 phone:px-3">
      <Notice
        tone="ok"
        action={
          <Button size="sm" onClick={() => window.location.reload()}>
            Show it
          </Button>
        }
      >
        {state?.state === 'done' ? 'Your re-review is done: a' : 'A'} new version of this transcript has arrived.
      </Notice>
    </div>
  )
}

type BarProps = { desk: Desk; places: Places; session: Session; id: string }

function MarkingBar({ desk, places, session, id }: BarProps) {
  const list = useSignal(places.list)
  const [sending, setSending] = useState(false)
  const [said, setSaid] = useState('')
  useMarks(desk, places)
  const mark = () => setSaid(markAtHand(desk, places))
  useMarkKey(mark)
  return (
    <div
      role="toolbar"
      aria-label="Places to be re-reviewed"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line bg-surface px-5 py-2 phone:px-3"
    >
      <p className="mr-auto min-w-0 basis-56 grow text-sm text-ink-2 phone:basis-full">
        <span className="font-medium text-ink">{formatCount(list.length, 'place')} marked.</span>{' '}
        <span role="status">{said || 'Select words, or go to a turn, and mark it.'}</span>
      </p>
      {/* Keeps the selection. */}
      <Button size="sm" onPointerDown={(event) => event.preventDefault()} onClick={mark}>
        <Flag aria-hidden /> Mark
      </Button>
      <span className="phone:hidden">
        <Kbd>M</Kbd>
      </span>
      <Button size="sm" variant="primary" disabled={list.length === 0} onClick={() => setSending(true)}>
        List and send
      </Button>
      <IconButton label="Stop marking" tooltip={false} onClick={() => places.marking.set(false)}>
        <X aria-hidden />
      </IconButton>
      <SendDialog {...{ desk, places, session, id }} open={sending} onClose={() => setSending(false)} />
    </div>
  )
}

/** M marks the current words, like the button. */
function useMarkKey(mark: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isOther = event.key.toLowerCase() !== 'm' || event.ctrlKey || event.metaKey || event.altKey
    if (isOther || event.defaultPrevented || isUsedByFocus(event)) return
    event.preventDefault()
    mark()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

/** Highlights the places in the text while the bar is open. */
function useMarks(desk: Desk, places: Places): void {
  useEffect(() => {
    let unmark: () => void = () => undefined
    const paint = () => {
      unmark()
      const { table, blocks } = desk.text.state.get()
      if (desk.view !== null) unmark = markWords(desk.view, findSpans(places.list.get(), table, blocks), 're-review')
    }
    const stops = [places.list.subscribe(paint), desk.text.state.subscribe(paint)]
    paint()
    return () => {
      for (const stop of stops) stop()
      unmark()
    }
  }, [desk, places])
}

/** The selected words, else the focused paragraph, else the one being spoken; null if there is none. */
function spanAtHand({ view, spoken }: Desk): WordSpan | null {
  if (view === null) return null
  const { blocks } = view.shown
  const selected = selectedWords(view.shown)
  const block = blockOfNode(document.activeElement)?.block ?? (spoken === -1 ? null : blocks.blockOf(spoken))
  return selected ?? (block === null ? null : { from: blocks.first(block), to: blocks.end(block) })
}

/** Marks or unmarks the current words. @returns a message that says which */
function markAtHand(desk: Desk, places: Places): string {
  const span = spanAtHand(desk)
  if (span === null) return 'Select words first, or go to a turn with the arrow keys.'
  const before = places.list.get().length
  const place = toPlace(desk.text.state.get().table, span)
  const isMarked = places.toggle(place)
  document.getSelection()?.removeAllRanges()
  if (isMarked) return `Marked “${place.text}”.`
  return places.list.get().length < before
    ? `Not marked any more: “${place.text}”.`
    : 'There is no room for more places.'
}
