import { ArrowUpFromLine, Check, Film, TriangleAlert } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Session } from '../../../base/api/client.ts'
import { useSignal } from '../../../base/state/signal.ts'
import { useBatchFiles } from '../../library/use-live.ts'
import { countBatch, isOfBatch, pillWords, sentPercent } from '../batch.ts'
import { makingVideo, videoWords } from '../making-video.ts'
import { isBusy, needsFile, type Upload } from '../tray/upload.ts'
import { useQueueState, useUploads } from '../use-uploads.ts'

/** Long enough to read that everything is done. Milliseconds. */
const hideAfterMs = 5_000

/** True some time after the last upload is ordered; not while the pill is pointed at. */
function useHideWhenDone(isDone: boolean, pill: RefObject<HTMLElement | null>): boolean {
  const [isHidden, setIsHidden] = useState(false)
  const onHide = useEffectEvent(() => setIsHidden(true))
  useEffect(() => {
    if (!isDone) return
    const timer = setInterval(() => {
      if (!pill.current?.matches(':hover, :focus-within')) onHide()
    }, hideAfterMs)
    return () => {
      clearInterval(timer)
      setIsHidden(false)
    }
  }, [isDone, pill])
  return isHidden
}

/** Where it covers nothing important: above a player, above a bar, beside a right-hand panel. */
export type DockPlace = 'corner' | 'above-player' | 'above-bar' | 'beside-panel'

const places: Record<DockPlace, string> = {
  // Above the actions on selected files, while there are any.
  corner:
    'right-6 bottom-6 in-[body:has([data-selection-bar])]:bottom-24 phone:bottom-[calc(4.25rem+env(safe-area-inset-bottom))] phone:in-[body:has([data-selection-bar])]:bottom-40',
  'above-player': 'right-6 bottom-28 phone:bottom-44',
  'above-bar': 'right-6 bottom-28 phone:bottom-52',
  'beside-panel': 'right-[26.5rem] bottom-6',
}

/** The batch that the pill speaks of: one that waits for a person, else one under way, else the last. */
function chooseBatch(uploads: readonly Upload[]): string | null {
  const chosen =
    uploads.find((upload) => upload.state.is === 'failed' || needsFile(upload)) ??
    uploads.find(isBusy) ??
    uploads.at(-1)
  return chosen?.agreement?.batch ?? null
}

/** A line of the dock, which leads to more about it. */
const dockClass = 'animate-rise print:hidden'
const pillClass =
  'flex min-h-9 items-center gap-2 rounded-full border border-line-strong bg-surface px-4 py-1.5 text-sm font-semibold tabular-nums shadow-high hover:bg-sunken [&_svg]:size-4'

type Props = { session: Session; place: DockPlace }

/** What goes on in the background, one line each, on every page but its own. */
export function Dock({ session, place }: Props) {
  return (
    <div className={`fixed z-30 grid justify-items-end gap-2 ${places[place]}`}>
      <VideoPill session={session} />
      <UploadPill session={session} />
    </div>
  )
}

/** The captioned video under way, for which nobody stays at the captions. */
function VideoPill({ session }: Pick<Props, 'session'>) {
  const { pathname } = useLocation()
  const video = useSignal(makingVideo)
  // Signing out ends it here. The service makes it all the same.
  useEffect(() => () => makingVideo.get()?.abort.abort(), [])
  const path = `/${session.environment}/files/${video?.id}/captions`
  if (video === null || pathname === path) return null
  return (
    <section aria-label="Captioned video" className={dockClass}>
      <Link to={path} className={pillClass}>
        <Film aria-hidden /> {videoWords(video)}
      </Link>
    </section>
  )
}

/** The account's uploads on every page but their own, which it leads to: one line. */
function UploadPill({ session }: Pick<Props, 'session'>) {
  const { pathname } = useLocation()
  const elsewhere = useUploads(session).filter(({ agreement }) => !pathname.endsWith(`/order/${agreement?.batch}`))
  const batch = chooseBatch(elsewhere)
  const uploads = batch === null ? [] : elsewhere.filter((upload) => isOfBatch(upload, batch))
  const pill = useRef<HTMLElement>(null)
  const isDone = uploads.length > 0 && uploads.every(({ state }) => state.is === 'ordered')
  const isHidden = useHideWhenDone(isDone, pill)
  if (batch === null || isHidden) return null
  return (
    <section ref={pill} aria-label="Uploads" className={dockClass}>
      <Pill session={session} batch={batch} uploads={uploads} />
    </section>
  )
}

function Pill({ session, batch, uploads }: Pick<Props, 'session'> & { batch: string; uploads: readonly Upload[] }) {
  const { paused } = useQueueState()
  const counts = countBatch(useBatchFiles(batch), uploads, batch)
  const isAsking = uploads.some((upload) => upload.state.is === 'failed' || needsFile(upload))
  const Icon = isAsking ? TriangleAlert : counts.unsent === 0 ? Check : ArrowUpFromLine
  return (
    <Link to={`/${session.environment}/order/${batch}`} className={`${pillClass} ${isAsking ? 'text-warn' : ''}`}>
      <Icon aria-hidden />
      <span aria-live="polite">{pillWords(counts, uploads, paused)}</span>
      {counts.unsent > 0 && !isAsking && (
        <span className="font-normal text-ink-3">{Math.floor(sentPercent(counts))}%</span>
      )}
    </Link>
  )
}
