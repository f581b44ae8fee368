import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readTxt } from '../../formats/read-txt.ts'
import type { Session } from '../api/client.ts'
import { fetchTranscript, files } from '../api/files.ts'
import type { FileRecord } from '../api/metadata-reader.ts'
import { useDates } from '../preferences/preferences.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import type { Desk } from './desk/desk.ts'

type Props = { desk: Desk; session: Session; record: FileRecord }

/** The transcript so far: its notice as a notice, its lines in the reading column, growing with the progress. */
export function InProgress({ desk, session, record }: Props) {
  const { data } = useQuery({
    queryKey: [...files.all(session), record.id, 'in progress', record.percent] as const,
    queryFn: async ({ signal }) => {
      const response = await fetchTranscript(session, record.id, 'txt', signal)
      return readTxt(await response.text(), record.metadata.options)
    },
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    if (data !== undefined) desk.showInProgress(data.lines)
  }, [desk, data])
  const dates = useDates()
  const lines = data?.lines.length ?? 0
  return (
    <div className="grid gap-2 border-b border-line bg-warn-soft px-7 py-3 text-warn phone:px-4">
      <div className="flex items-center gap-4">
        <p className="font-semibold">Work in progress</p>
        <ProgressBar className="max-w-60 flex-1" percent={record.percent} label="Progress of the transcript" />
        <span className="text-sm tabular-nums">
          {Math.floor(record.percent)} % · {record.metadata.delay_reason ?? `due ${dates.moment(record.dueAt)}`}
        </span>
      </div>
      <p role="note" className="max-w-prose text-sm text-pretty">
        {data === undefined || data.notice === null
          ? 'Not final: the text grows here as it is made.'
          : sentenceOf(data.notice)}
        {data !== undefined && lines === 0 && ' There is no text yet; it appears here by itself.'}
      </p>
    </div>
  )
}

/** The notice without its heading line, as one paragraph. */
function sentenceOf(notice: string): string {
  const lines = notice.split('\n')
  return (lines.length > 1 ? lines.slice(1) : lines).join(' ')
}
