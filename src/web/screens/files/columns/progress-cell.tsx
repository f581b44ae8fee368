import { type FileRecord, givenUpText, isGivenUp } from '../../../base/api/metadata-reader.ts'
import { cutClass } from '../../../base/ui/cut-text.ts'
import { type Dates, dayStart } from '../../../base/ui/dates.ts'
import { clockText } from '../../../base/ui/duration.ts'
import { moneyText } from '../../../base/ui/money.ts'
import { pillClass } from '../../../base/ui/pill.tsx'
import { ProgressBar } from '../../../base/ui/progress-bar.tsx'
import { calculateRefund, deletionOf } from '../../../signed-in/file-actions/deletion-plan.ts'
import type { CellProps } from './cell-props.ts'
import { progressNote } from './progress-text.ts'

/** The same element for all rows, which React then skips. */
const readyPill = <span className={`${pillClass('ok')} icon icon-check before:size-3.5`}>Ready</span>

/** Progress of the transcript: when it became ready, or its progress, due date, and the effect of deleting it. */
export function ProgressCell({ row, record, now, dates, deletesWhenReady }: CellProps) {
  if (record.percent === 100) {
    return (
      <span className="grid gap-0.5">
        <span className="flex items-center gap-2.5">
          {readyPill}
          {Number.isFinite(record.readyAt) && (
            <span className="whitespace-nowrap text-ink-2">{readyText(record.readyAt, now, dates)}</span>
          )}
        </span>
        {record.readableSeconds !== null && (
          <span
            className={`${cutClass} text-xs text-warn`}
            title="The recording is damaged: the rest of it could not be read"
          >
            {clockText(record.readableSeconds)} of {clockText(record.seconds)} readable
          </span>
        )}
      </span>
    )
  }
  if (isGivenUp(record)) {
    const words = record.metadata.delay_reason ?? ''
    return (
      <span className="grid gap-0.5">
        <span className={`${pillClass('plain')} justify-self-start`}>{givenUpText(record)}</span>
        <span className={`${cutClass} text-xs text-ink-3`} title={words}>
          {words}
        </span>
      </span>
    )
  }
  if (Number.isNaN(record.percent)) return <span className="text-ink-3">Progress unknown</span>
  const note = progressNote(row, record, now, dates)
  const percent = Math.floor(record.percent)
  return (
    <span className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
      <span className="flex items-center gap-2.5">
        <ProgressBar
          percent={record.percent}
          label={`Transcript of ${record.metadata.name || record.id}`}
          tone={note.late ? 'warn' : 'accent'}
          className="w-24 max-w-[55%]"
        />
        <span className="font-medium whitespace-nowrap tabular-nums">{percent}%</span>
        <DeletionIcon record={record} />
      </span>
      <span className={`${cutClass} text-xs ${note.late ? 'text-warn' : 'text-ink-3'}`} title={note.text}>
        {note.text}
        {deletesWhenReady && ' · then deleted'}
      </span>
    </span>
  )
}

/** `02:10` if today, else `22 Nov`. */
function readyText(readyAt: number, now: number, dates: Dates): string {
  return dayStart(readyAt) === dayStart(now) ? dates.time(readyAt) : dates.day(readyAt, now)
}

/** The deletion window of spec 3 as an icon: a lock from 60 %, an undo arrow with the refund below. */
function DeletionIcon({ record }: { record: FileRecord }) {
  const isLocked = deletionOf(record) === 'locked'
  const cents = calculateRefund(record)
  if (!isLocked && !(cents > 0)) return null
  const words = isLocked
    ? 'Cannot be deleted until it is ready'
    : `Deleting it now refunds ${moneyText(cents, record.metadata.currency)}`
  return (
    <span title={words} className={`icon before:block before:size-3.5 ${isLocked ? 'icon-lock' : 'icon-undo'}`}>
      <span className="sr-only">{words}</span>
    </span>
  )
}
