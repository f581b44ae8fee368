import { Check, Lock } from 'lucide-react'
import { deletionWindow } from '../../contract/deletion.ts'
import type { FileRow } from '../api/library-rows.ts'
import type { FileRecord } from '../api/metadata-reader.ts'
import { dayText } from '../ui/dates.ts'
import { moneyText } from '../ui/money.ts'
import { Pill } from '../ui/pill.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { refundOf } from './deletion-plan.ts'
import { progressNote } from './progress-text.ts'

type Props = { row: FileRow; record: FileRecord; now: number; deletesWhenReady: boolean }

/** Progress of the transcript: ready and since when, or how far, until when, and what deleting would do. */
export function ProgressCell({ row, record, now, deletesWhenReady }: Props) {
  if (record.percent === 100) {
    return (
      <span className="flex items-center gap-2.5">
        <Pill tone="ok">
          <Check aria-hidden /> Ready
        </Pill>
        {Number.isFinite(record.readyAt) && <span className="text-ink-2">{dayText(record.readyAt, now)}</span>}
      </span>
    )
  }
  if (Number.isNaN(record.percent)) return <span className="text-ink-3">Progress unknown</span>
  const note = progressNote(row, record, now)
  const percent = Math.floor(record.percent)
  return (
    <span className="grid gap-0.5">
      <span className="flex items-center gap-2.5">
        <ProgressBar
          percent={record.percent}
          label={`Transcript of ${record.metadata.name || record.id}`}
          tone={note.late ? 'warn' : 'accent'}
          className="w-24 max-w-[55%]"
        />
        <span className="font-medium tabular-nums">{percent} %</span>
        <DeletionMark record={record} />
      </span>
      <span className={`truncate text-xs ${note.late ? 'text-warn' : 'text-ink-3'}`} title={note.text}>
        {note.text}
        {deletesWhenReady && ' · then deleted'}
      </span>
    </span>
  )
}

/** The deletion window of spec 3 in a sign: locked from 60, refundable below. */
function DeletionMark({ record }: { record: FileRecord }) {
  if (deletionWindow(record.percent) === 'locked') {
    const words = 'Cannot be deleted until it is ready'
    return (
      <span title={words} className="text-ink-3">
        <Lock aria-hidden className="size-3.5" />
        <span className="sr-only">{words}</span>
      </span>
    )
  }
  const cents = refundOf(record)
  if (!(cents > 0)) return null
  return (
    <span className="truncate text-xs text-ink-3" title="What deleting it now would give back">
      <span className="sr-only">Deleting it now gives back </span>
      {`↩ ${moneyText(cents, record.metadata.currency)}`}
    </span>
  )
}
