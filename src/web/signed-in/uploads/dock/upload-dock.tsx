import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Pause, Play, X } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Session } from '../../../base/api/client.ts'
import { projects } from '../../../base/api/projects.ts'
import { Button } from '../../../base/ui/button.tsx'
import { IconButton } from '../../../base/ui/icon-button.tsx'
import { moneyText } from '../../../base/ui/money.ts'
import { countText, formatCount } from '../../../base/ui/sizes.ts'
import { canReopen, reopenFiles } from '../tray/reopen-file.ts'
import { type Hold, isBusy, isRetryable, needsFile, type Upload } from '../tray/upload.ts'
import { acceptPrices, queue, uploadList } from '../uploads.ts'
import { totalPercent, useQueueState, useUploads } from '../use-uploads.ts'
import { DockRow } from './dock-row.tsx'

/** The dock lists this many uploads, and counts the rest. */
const shownCount = 30

/** Order in the dock: failures, then running, waiting and ordered uploads. */
const ranks = { failed: 0, sending: 1, confirming: 1, checking: 1, waiting: 2, ordered: 3, draft: 4 } as const

function headline(uploads: readonly Upload[], isPaused: boolean): string {
  const countIs = (is: Upload['state']['is']) => uploads.filter(({ state }) => state.is === is).length
  const failed = countIs('failed')
  const needing = uploads.filter(needsFile).length
  if (needing > 0 && needing === uploads.filter(isBusy).length) {
    return `${formatCount(needing, 'file waits', 'files wait')} for you`
  }
  if (uploads.some(isBusy)) {
    const sent = `${countText(countIs('ordered'))} of ${countText(uploads.length)} sent`
    return [isPaused && 'Paused', sent, failed > 0 && `${countText(failed)} failed`].filter(Boolean).join(' · ')
  }
  if (failed > 0) return `${formatCount(failed, 'upload')} failed`
  return `${formatCount(uploads.length, 'file')} ordered`
}

/** Why nothing is being sent, in words for all uploads; null if something is, or each has its own reason. */
function holdText(uploads: readonly Upload[]): string | null {
  const isHeld = (hold: Hold) => uploads.some(({ state }) => state.is === 'waiting' && state.hold === hold)
  if (isHeld('offline')) return 'This device is offline. Uploads continue once it is back online.'
  return isHeld('unreachable') ? 'The service cannot be reached. Retrying automatically.' : null
}

/** Long enough to read that everything is done. Milliseconds. */
const foldAfterMs = 5_000

/** Folds the dock some time after the last upload is ordered, so that it covers nothing; not while hovered. */
function useFoldWhenDone(isDone: boolean, dock: RefObject<HTMLElement | null>, fold: () => void): void {
  const onFold = useEffectEvent(fold)
  useEffect(() => {
    if (!isDone) return
    const timer = setInterval(() => {
      if (dock.current?.matches(':hover, :focus-within')) return
      clearInterval(timer)
      onFold()
    }, foldAfterMs)
    return () => clearInterval(timer)
  }, [isDone, dock])
}

type Props = {
  session: Session
  place: DockPlace
}

/** Where it covers nothing important: above a player, above a bar (initially folded), beside a right-hand panel. */
export type DockPlace = 'corner' | 'above-player' | 'above-bar' | 'beside-panel'

const places: Record<DockPlace, string> = {
  // Above the actions on selected files, while there are any.
  corner:
    'right-6 bottom-6 in-[body:has([data-selection-bar])]:bottom-24 phone:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] phone:in-[body:has([data-selection-bar])]:bottom-[calc(8.75rem+env(safe-area-inset-bottom))]',
  'above-player': 'right-6 bottom-28 phone:bottom-32',
  'above-bar': 'right-6 bottom-24 phone:bottom-[calc(8.75rem+env(safe-area-inset-bottom))]',
  'beside-panel': 'right-[26.5rem] bottom-6 max-xl:right-[24rem]',
}

/** The account's submitted uploads, on every page, until dismissed; on a transcript until they are ordered. */
export function UploadDock({ session, place }: Props) {
  const uploads = useUploads(session)
  const [isChosenOpen, setIsOpen] = useState<boolean | null>(null)
  const isOpen = isChosenOpen ?? place !== 'above-bar'
  const dock = useRef<HTMLElement>(null)
  const isDone = uploads.length > 0 && uploads.every(({ state }) => state.is === 'ordered')
  useFoldWhenDone(isDone, dock, () => setIsOpen(false))
  if (uploads.length === 0) return null
  // Even folded it would cover a transcript's download buttons.
  if (isDone && !isOpen && place === 'above-player') return null
  const sorted = uploads.toSorted((a, b) => ranks[a.state.is] - ranks[b.state.is])
  const hidden = sorted.length - shownCount
  const hold = holdText(uploads)
  const reopenable = uploads.filter((upload) => needsFile(upload) && canReopen(upload))
  return (
    <section
      ref={dock}
      aria-label="Uploads"
      className={`fixed z-30 grid max-h-[min(32rem,calc(100dvh-3rem))] w-[330px] animate-rise grid-cols-1 grid-rows-[auto_1fr] overflow-hidden rounded-lg border border-line bg-surface shadow-high phone:inset-x-2 phone:max-h-[60dvh] phone:w-auto ${places[place]}`}
    >
      <DockHeader uploads={uploads} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
      {isOpen && (
        <ul className="grid grid-cols-1 content-start gap-4 overflow-y-auto px-3.5 pt-1 pb-4">
          <GoneProjects session={session} uploads={uploads} />
          {hold !== null && <li className="text-sm text-warn">{hold}</li>}
          {reopenable.length > 1 && <ReopenAll uploads={reopenable} />}
          {sorted.slice(0, shownCount).map((upload) => (
            <DockRow
              key={upload.id}
              upload={upload}
              environment={session.environment}
              isReopenedAlone={reopenable.length === 1}
            />
          ))}
          {hidden > 0 && <li className="text-xs text-ink-3">and {countText(hidden)} more</li>}
        </ul>
      )}
    </section>
  )
}

/** After a reload: one button for all files that this device can open again. */
function ReopenAll({ uploads }: { uploads: readonly Upload[] }) {
  return (
    <li className="grid justify-items-start gap-1.5 text-sm text-ink-2">
      The page was reloaded.{' '}
      {uploads.some(({ unclearSince }) => unclearSince !== null)
        ? 'What was ordered already is not charged twice.'
        : 'Nothing has been charged for these yet.'}
      <Button size="sm" variant="primary" onClick={() => void reopenFiles(uploads)}>
        Use the {formatCount(uploads.length, 'file')} on this device
      </Button>
      or drop them or their folder again.
    </li>
  )
}

/** Notices that uploads' projects were deleted in the meantime; the uploads are unaffected. */
function GoneProjects({ session, uploads }: { session: Session; uploads: readonly Upload[] }) {
  const wanted = new Map(
    uploads.flatMap(({ agreement }) => (agreement?.project ? [[agreement.project.id, agreement.project.name]] : [])),
  )
  const { data, isFetching } = useQuery({ ...projects.list(session), enabled: wanted.size > 0 })
  if (data === undefined || isFetching) return null
  const gone = [...wanted].filter(([id]) => !data.some((project) => project.id === id))
  return gone.map(([id, name]) => (
    <li key={id} className="text-sm text-warn">
      The project “<bdi>{name}</bdi>” was deleted. Its files are ordered without a project.
    </li>
  ))
}

type HeaderProps = { uploads: readonly Upload[]; isOpen: boolean; onToggle: () => void }

/** Status of the uploads, and actions on all of them: retry, pause, fold, close. */
function DockHeader({ uploads, isOpen, onToggle }: HeaderProps) {
  const { paused } = useQueueState()
  const percent = totalPercent(uploads)
  const isBusyNow = uploads.some(isBusy)
  const canPause = uploads.some((upload) => isBusy(upload) && !needsFile(upload))
  return (
    <header className="flex items-center gap-1 py-2 pr-2 pl-3.5">
      <h2 className="mr-auto text-md font-semibold tabular-nums" aria-live="polite">
        {headline(uploads, paused)}
        {!isOpen && percent !== null && <span className="font-normal text-ink-3"> · {percent}%</span>}
      </h2>
      <RetryButton failed={uploads.filter(({ state }) => state.is === 'failed')} />
      <AcceptPricesButton uploads={uploads} />
      {canPause && (
        <IconButton
          label={paused ? 'Resume uploads' : 'Pause uploads'}
          onClick={() => (paused ? queue.resume() : queue.pause())}
        >
          {paused ? <Play aria-hidden /> : <Pause aria-hidden />}
        </IconButton>
      )}
      <IconButton
        label={isOpen ? 'Collapse uploads' : 'Expand uploads'}
        aria-expanded={isOpen}
        tooltip={false}
        onClick={onToggle}
      >
        {isOpen ? <ChevronDown aria-hidden /> : <ChevronUp aria-hidden />}
      </IconButton>
      {!isBusyNow && (
        <IconButton label="Close" tooltip={false} onClick={() => uploadList.remove(uploads.map(({ id }) => id))}>
          <X aria-hidden />
        </IconButton>
      )}
    </header>
  )
}

/** Retries failed uploads, if that may help more than one. */
function RetryButton({ failed }: { failed: readonly Upload[] }) {
  const retryable = failed.filter(isRetryable)
  if (retryable.length < 2) return null
  return (
    <Button size="sm" variant="quiet" className="text-bad" onClick={() => queue.retry(retryable.map(({ id }) => id))}>
      {retryable.length === failed.length ? 'Retry all' : `Retry ${countText(retryable.length)}`}
    </Button>
  )
}

/** Orders several recordings that cost more than the page said, for the sum of their true prices. */
function AcceptPricesButton({ uploads }: { uploads: readonly Upload[] }) {
  const asked = uploads.flatMap((upload) =>
    upload.state.is === 'failed' && upload.state.failure.kind === 'dearer' ? [{ upload, ...upload.state.failure }] : [],
  )
  if (asked.length < 2) return null
  const cents = asked.reduce((sum, { totalCents }) => sum + totalCents, 0)
  return (
    <Button size="sm" onClick={() => acceptPrices(asked.map(({ upload }) => upload))}>
      Order {countText(asked.length)} for {moneyText(cents, asked[0]?.currency ?? '')}
    </Button>
  )
}
