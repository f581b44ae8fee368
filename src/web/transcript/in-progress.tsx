import type { FileRecord } from '../api/metadata-reader.ts'
import { useDates } from '../preferences/preferences.ts'
import { useSignal } from '../state/signal.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import type { Desk } from './desk/desk.ts'

type Props = { desk: Desk; record: FileRecord }

/** The service's notice and progress above the text of a transcript in progress. */
export function InProgress({ desk, record }: Props) {
  const dates = useDates()
  const soFar = useSignal(desk.soFar)
  return (
    <div className="grid gap-2 border-b border-line bg-warn-soft px-7 py-3 text-warn phone:px-4">
      <div className="flex items-center gap-4">
        <p className="font-semibold">Work in progress</p>
        <ProgressBar className="max-w-60 flex-1" percent={record.percent} label="Progress of the transcript" />
        <span className="text-sm tabular-nums">
          {Math.floor(record.percent)}% · {record.metadata.delay_reason ?? `due ${dates.moment(record.dueAt)}`}
        </span>
      </div>
      <p role="note" className="max-w-prose text-sm text-pretty">
        {soFar === null || soFar.notice === null
          ? 'Not final: the text grows here as it is made.'
          : sentenceOf(soFar.notice)}
        {soFar?.lines.length === 0 && ' There is no text yet; it appears here by itself.'}
      </p>
    </div>
  )
}

/** The notice without its heading line, as one paragraph. */
function sentenceOf(notice: string): string {
  const lines = notice.split('\n')
  return (lines.length > 1 ? lines.slice(1) : lines).join(' ')
}
