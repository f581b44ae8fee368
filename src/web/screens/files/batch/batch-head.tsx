import { useQuery } from '@tanstack/react-query'
import { ArrowUpFromLine, Pause, Play } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type FileRecord, isGivenUp } from '../../../base/api/metadata-reader.ts'
import { Button, buttonClass } from '../../../base/ui/button.tsx'
import type { Dates } from '../../../base/ui/dates.ts'
import { PageHeader } from '../../../base/ui/page-header.tsx'
import { ProgressBar } from '../../../base/ui/progress-bar.tsx'
import { countText } from '../../../base/ui/sizes.ts'
import { Switch } from '../../../base/ui/switch.tsx'
import type { LibrarySnapshot } from '../../../signed-in/library/library-snapshot.ts'
import { useDates } from '../../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../../signed-in/session/session.ts'
import { type BatchCounts, countBatch, sentPercent, sentWords } from '../../../signed-in/uploads/batch.ts'
import { setAwaited, useIsAwaited } from '../../../signed-in/uploads/dock/batch-news.ts'
import { UnfinishedUploads } from '../../../signed-in/uploads/dock/unfinished-uploads.tsx'
import { isBusy, needsFile, type Upload } from '../../../signed-in/uploads/tray/upload.ts'
import { queue, uploadStorage } from '../../../signed-in/uploads/uploads.ts'
import { useQueueState } from '../../../signed-in/uploads/use-uploads.ts'
import { DownloadAll, type DownloadArchive } from '../download/download-all.tsx'
import { useNow } from '../list/use-now.ts'
import { useUnsentReady } from './use-unsent-ready.ts'

/** IndexedDB tells nobody of what another tab writes. */
const elsewhereEveryMs = 2_000

type Props = { batch: string; uploads: readonly Upload[]; snapshot: LibrarySnapshot; onDownload: DownloadArchive }

/** How far a batch is, what of it waits for a person, and the ways on: all of it as one ZIP, a further order. */
export function BatchHead({ batch, uploads, snapshot, onDownload }: Props) {
  const session = useSession()
  const dates = useDates()
  const now = useNow()
  const { paused } = useQueueState()
  const records = snapshot.rows.flatMap(({ record }) => record ?? [])
  const unsentReadyAt = useUnsentReady(session, uploads)
  const ready = records.filter(({ percent }) => percent === 100)
  const { data: elsewhere = 0 } = useQuery({
    queryKey: ['unsent-elsewhere', batch],
    queryFn: () => uploadStorage.countElsewhere(batch),
    refetchInterval: elsewhereEveryMs,
  })
  const here = countBatch({ records, deleted: snapshot.deleted }, uploads, batch)
  const counts = { ...here, unsent: here.unsent + elsewhere }
  const all = counts.sent + counts.unsent
  const title = batchTitle(records, uploads, dates)
  const isLoading = snapshot.total === null || (all === 0 && !snapshot.complete)
  const isReady = all > 0 && ready.length === all && snapshot.complete
  const words = [sentWords(counts, paused), ...readyWords(records, counts, unsentReadyAt, dates, now)]
  if (elsewhere > 0) words.push(`${countText(elsewhere)} in another window of this browser`)
  const unfinished = uploads.filter(({ state }) => state.is !== 'ordered')
  return (
    <section aria-label="Order" className="grid gap-4">
      <PageHeader
        title={title}
        subtitle={
          <span aria-live="polite" className="tabular-nums">
            {isLoading ? 'Loading files…' : all === 0 ? '' : words.join(' · ')}
          </span>
        }
        actions={
          <>
            <PauseButton uploads={uploads} isPaused={paused} />
            {ready.length > 0 && (
              <DownloadAll
                records={ready}
                archive={{ name: title, leftOut: 0, isDated: true }}
                label={isReady ? 'Download all' : `Download the ${countText(ready.length)} ready`}
                isPrimary={isReady}
                onDownload={onDownload}
              />
            )}
            <Link to={`/${session.environment}/order`} className={buttonClass()}>
              <ArrowUpFromLine aria-hidden /> New order
            </Link>
          </>
        }
      />
      <UnfinishedUploads session={session} uploads={unfinished} />
      {all > 0 && !isReady && !isLoading && <Bars counts={counts} ready={ready.length} />}
      {all > 0 && !isReady && !isLoading && <TellMe batch={batch} />}
    </section>
  )
}

/** `Order of 26 Nov, 15:40`, by the press, or on other devices by the first of its files. */
function batchTitle(records: readonly FileRecord[], uploads: readonly Upload[], dates: Dates): string {
  const pressedAt = uploads.map(({ agreement }) => agreement?.at ?? Number.NaN)
  const at = Math.min(...[...pressedAt, ...records.map(({ createdAt }) => createdAt)].filter(Number.isFinite))
  return Number.isFinite(at) ? `Order of ${dates.day(at)}, ${dates.time(at)}` : 'Order'
}

/** `12 ready`, `all ready by about today, 18:24`: nothing that is not known. */
function readyWords(
  records: readonly FileRecord[],
  { sent, unsent, failed }: BatchCounts,
  unsentReadyAt: number | null,
  dates: Dates,
  now: number,
): string[] {
  const ready = records.filter(({ percent }) => percent === 100).length
  const refunded = records.filter(isGivenUp).length
  const running = records.filter((record) => record.percent < 100 && !isGivenUp(record))
  const archived = records.filter(({ labels }) => labels?.archived).length
  const words = [
    refunded > 0 && `${countText(refunded)} refunded`,
    archived > 0 && `${countText(archived)} archived`,
  ].filter((word) => word !== false)
  if (ready === sent && unsent === 0) return [...words, 'all ready']
  const due = running.map(({ dueAt }) => (Number.isFinite(dueAt) ? dueAt : 0))
  const last = Math.max(...due, unsentReadyAt ?? 0)
  // Of what is not sent the time may not be known.
  const isKnown = unsent === failed || unsentReadyAt !== null
  if (isKnown && last > now) words.push(`all by about ${dates.moment(last, now)}`)
  return ready > 0 ? [`${countText(ready)} ready`, ...words] : words
}

function PauseButton({ uploads, isPaused }: { uploads: readonly Upload[]; isPaused: boolean }) {
  if (!uploads.some((upload) => isBusy(upload) && !needsFile(upload))) return null
  return (
    <Button onClick={() => (isPaused ? queue.resume() : queue.pause())}>
      {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />} {isPaused ? 'Resume uploads' : 'Pause uploads'}
    </Button>
  )
}

/** How much is sent, and how much is ready. */
function Bars({ counts, ready }: { counts: BatchCounts; ready: number }) {
  const all = counts.sent + counts.unsent
  const sent = sentPercent(counts)
  return (
    <div className="grid max-w-3xl grid-cols-2 gap-6 text-sm text-ink-2 tabular-nums phone:grid-cols-1 phone:gap-3">
      <div className="grid content-start gap-1.5">
        <p>{Math.floor(sent)}% sent</p>
        <ProgressBar label="Sent" percent={sent} />
      </div>
      <div className="grid content-start gap-1.5">
        <p>{Math.floor((ready / all) * 100)}% ready</p>
        <ProgressBar label="Ready" percent={(ready / all) * 100} />
      </div>
    </div>
  )
}

/** Asks for the browser's permission only when it is turned on. */
function TellMe({ batch }: { batch: string }) {
  const isOn = useIsAwaited(batch)
  const [isRefused, setIsRefused] = useState(false)
  return (
    <div className="grid w-fit max-w-lg gap-1">
      <Switch
        label="Tell me when all are ready"
        checked={isOn}
        onChange={(on) => void setAwaited(batch, on).then((isGranted) => setIsRefused(on && !isGranted))}
      />
      {isOn && isRefused && (
        <p role="status" className="text-sm text-ink-2">
          This browser shows no notifications of Parley. Any page of Parley that is open will say it.
        </p>
      )}
    </div>
  )
}
