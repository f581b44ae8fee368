import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Session } from '../../../base/api/client.ts'
import { projects } from '../../../base/api/projects.ts'
import { Button } from '../../../base/ui/button.tsx'
import { cardClass } from '../../../base/ui/card.tsx'
import { moneyText } from '../../../base/ui/money.ts'
import { Notice } from '../../../base/ui/notice.tsx'
import { countText, formatCount } from '../../../base/ui/sizes.ts'
import { Changes } from '../../session/changes.tsx'
import type { UploadFailure } from '../queue/upload-failure.ts'
import { FileChooser } from '../tray/file-chooser.tsx'
import { canReopen, reopenFiles } from '../tray/reopen-file.ts'
import { type Hold, isRetryable, needsFile, type Upload } from '../tray/upload.ts'
import { acceptPrices, acceptTopUp, cancelUploads, queue } from '../uploads.ts'
import { useQueueState } from '../use-uploads.ts'
import { DockRow } from './dock-row.tsx'

/** Lists this many uploads, and counts the rest. */
const shownCount = 30

/** Why nothing is being sent, in words for all uploads; null if something is, or each has its own reason. */
function holdText(uploads: readonly Upload[], breakMs: number): string | null {
  const isHeld = (hold: Hold) => uploads.some(({ state }) => state.is === 'waiting' && state.hold === hold)
  if (isHeld('offline')) return 'This device is offline. Uploads continue once it is back online.'
  if (isHeld('unreachable')) return 'The service cannot be reached. Retrying automatically.'
  return isHeld('busy') ? breakText(breakMs) : null
}

/** The delay requested by the service's Retry-After. */
function breakText(breakMs: number): string {
  const seconds = Math.max(1, Math.ceil(breakMs / 1_000))
  const asked = seconds < 90 ? formatCount(seconds, 'second') : formatCount(Math.ceil(seconds / 60), 'minute')
  return `The service is busy and asked to wait ${asked}. Retrying automatically.`
}

/** True for an upload that is under way: it is worth a line of its own. */
function isMoving({ state }: Upload): boolean {
  if (state.is === 'waiting') return state.hold === 'retry'
  return state.is === 'sending' || state.is === 'confirming' || state.is === 'checking'
}

type Props = { session: Session; uploads: readonly Upload[] }

/** What of a batch is not ordered yet: what waits for a person first, then what is under way. */
export function UnfinishedUploads({ session, uploads }: Props) {
  const { breakMs } = useQueueState()
  const needing = uploads.filter(needsFile)
  const failed = uploads.filter(({ state }) => state.is === 'failed')
  const moving = uploads.filter(isMoving)
  const waiting = uploads.filter((upload) => upload.state.is === 'waiting' && !isMoving(upload))
  const hold = holdText(uploads, breakMs)
  const hasRows = failed.length + moving.length + waiting.length > 0
  return (
    <>
      {needing.length > 0 && <NeededFiles session={session} uploads={needing} />}
      {hold !== null && <Notice tone="warn">{hold}</Notice>}
      <GoneProjects session={session} uploads={uploads} />
      {hasRows && (
        <div className={`${cardClass} grid max-w-3xl gap-4 p-4`}>
          {failed.length > 0 && <FailedUploads session={session} uploads={failed} />}
          <Rows session={session} uploads={moving} />
          {waiting.length > 0 && <WaitingUploads session={session} uploads={waiting} />}
        </div>
      )}
    </>
  )
}

/** After a reload: one button for all files that this device can open again, and a chooser for the others. */
function NeededFiles({ session, uploads }: Props) {
  const reopenable = uploads.filter(canReopen)
  const isUnclear = uploads.some(({ unclearSince }) => unclearSince !== null)
  const one = uploads.length === 1
  const batch = uploads[0]?.agreement?.batch
  const cents = uploads.reduce((sum, { agreement }) => sum + (agreement?.totalCents ?? Number.NaN), 0)
  const price = Number.isNaN(cents) ? null : moneyText(cents, uploads[0]?.agreement?.currency ?? '')
  return (
    <Notice tone="warn">
      <div className="grid justify-items-start gap-2">
        <p>
          The page was reloaded or closed before {one ? '1 file was' : `${countText(uploads.length)} files were`} sent.{' '}
          {isUnclear
            ? `If ${one ? 'it was' : 'some of them were'} ordered already, nothing is charged again.`
            : `Nothing has been charged for ${one ? 'it' : 'these'} yet.`}
          {price && ` ${one ? 'It costs' : 'They cost'} ${price}.`}
        </p>
        {reopenable.length > 0 && (
          <Button variant="primary" onClick={() => void reopenFiles(reopenable)}>
            Use the {reopenable.length === 1 ? 'file' : formatCount(reopenable.length, 'file')} on this device
          </Button>
        )}
        <p>
          {reopenable.length > 0 ? 'Or drop' : 'To continue, drop'} {one ? 'it' : 'them'} here, or{' '}
          <FileChooser owner={session} batch={batch} label={one ? 'choose it again' : 'choose them again'} /> or{' '}
          <FileChooser owner={session} batch={batch} label={one ? 'its folder' : 'their folder'} isFolder />
        </p>
      </div>
    </Notice>
  )
}

function FailedUploads({ session, uploads }: Props) {
  return (
    <section aria-label="Failed uploads" className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto font-semibold text-bad">{formatCount(uploads.length, 'upload')} failed</h2>
        <RetryButton failed={uploads} />
        <AcceptPricesButton uploads={uploads} />
        <AcceptTopUpButton uploads={uploads} />
      </div>
      <Rows session={session} uploads={uploads} />
    </section>
  )
}

/** Folded: they only wait, and there may be thousands. */
function WaitingUploads({ session, uploads }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="w-fit cursor-default text-ink-2">{countText(uploads.length)} waiting</summary>
      {isOpen && (
        <div className="mt-3 grid gap-3">
          <Rows session={session} uploads={uploads} />
          <Button
            size="sm"
            variant="quiet"
            className="justify-self-start"
            onClick={() => cancelUploads(uploads.map(({ id }) => id))}
          >
            Stop all that wait
          </Button>
        </div>
      )}
    </details>
  )
}

function Rows({ session, uploads }: Props): ReactNode {
  if (uploads.length === 0) return null
  const hidden = uploads.length - shownCount
  return (
    <ul className="grid grid-cols-1 gap-4">
      {uploads.slice(0, shownCount).map((upload) => (
        <DockRow key={upload.id} upload={upload} environment={session.environment} />
      ))}
      {hidden > 0 && <li className="text-xs text-ink-3">and {countText(hidden)} more</li>}
    </ul>
  )
}

/** Notices that uploads' projects were deleted in the meantime; the uploads are unaffected. */
function GoneProjects({ session, uploads }: Props) {
  const wanted = new Map(
    uploads.flatMap(({ agreement }) => (agreement?.project ? [[agreement.project.id, agreement.project.name]] : [])),
  )
  const { data, isFetching } = useQuery({ ...projects.list(session), enabled: wanted.size > 0 })
  if (data === undefined || isFetching) return null
  const gone = [...wanted].filter(([id]) => !data.some((project) => project.id === id))
  return gone.map(([id, name]) => (
    <p key={id} className="text-sm text-warn">
      The project “<bdi>{name}</bdi>” was deleted. Its files are ordered without a project.
    </p>
  ))
}

/** Retries failed uploads, if that may help more than one. */
function RetryButton({ failed }: { failed: readonly Upload[] }) {
  const retryable = failed.filter(isRetryable)
  if (retryable.length < 2) return null
  return (
    <Changes>
      <Button size="sm" variant="quiet" className="text-bad" onClick={() => queue.retry(retryable.map(({ id }) => id))}>
        {retryable.length === failed.length ? 'Retry all' : `Retry ${countText(retryable.length)}`}
      </Button>
    </Changes>
  )
}

/** The uploads that wait for the answer to one kind of question, with the question. */
function listAsked<Kind extends UploadFailure['kind']>(uploads: readonly Upload[], kind: Kind) {
  const isOfKind = (failure: UploadFailure): failure is Extract<UploadFailure, { kind: Kind }> => failure.kind === kind
  return uploads.flatMap((upload) =>
    upload.state.is === 'failed' && isOfKind(upload.state.failure) ? [{ upload, ...upload.state.failure }] : [],
  )
}

/** Orders several recordings that cost more than the page said, for the sum of their true prices. */
function AcceptPricesButton({ uploads }: { uploads: readonly Upload[] }) {
  const asked = listAsked(uploads, 'dearer')
  if (asked.length < 2) return null
  const cents = asked.reduce((sum, { totalCents }) => sum + totalCents, 0)
  return (
    <Changes>
      <Button size="sm" onClick={() => acceptPrices(asked.map(({ upload }) => upload))}>
        Order {countText(asked.length)} for {moneyText(cents, asked[0]?.currency ?? '')}
      </Button>
    </Changes>
  )
}

/** Orders several recordings for which the card pays in, as the balance was spent meanwhile. */
function AcceptTopUpButton({ uploads }: { uploads: readonly Upload[] }) {
  const asked = listAsked(uploads, 'top-up')
  if (asked.length < 2) return null
  const cents = asked.reduce((sum, { upload }) => sum + (upload.agreement?.totalCents ?? Number.NaN), 0)
  const [price, paidIn] = [cents, Math.max(...asked.map(({ topUpCents }) => topUpCents))].map((sum) =>
    moneyText(sum, asked[0]?.currency ?? ''),
  )
  return (
    <Button size="sm" onClick={() => acceptTopUp(asked.map(({ upload }) => upload))}>
      Order {countText(asked.length)}
      {Number.isFinite(cents) && ` for ${price}`}: the card pays in {paidIn}
    </Button>
  )
}
