import { useQuery } from '@tanstack/react-query'
import { account } from '../../base/api/account.ts'
import type { Session } from '../../base/api/client.ts'
import { type FileRecord, givenUpText, isGivenUp } from '../../base/api/metadata-reader.ts'
import { queue } from '../../base/api/queue.ts'
import { queueWords } from '../../base/ui/duration.ts'
import { Later, laterPart } from '../../base/ui/later.tsx'
import { ProgressBar } from '../../base/ui/progress-bar.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import type { Desk } from '../desk/desk.ts'

/** Aligned with the text below: beside the names, or under them in a narrow reader (transcript.css). */
export const textAxisClass = 'mx-auto w-full max-w-[44rem] px-4 @min-[44rem]:pr-0 @min-[44rem]:pl-[8.25rem]'

const WorkDone = laterPart(async () => (await import('../review/typed/work-done.tsx')).WorkDone)

type Props = { desk: Desk; session: Session; record: FileRecord }

/** The remaining time of an automated order and its position in the queue; null if unknown. */
function useQueuePlace(session: Session, { id, percent, metadata }: FileRecord) {
  const isHeard = percent < 100 && metadata.options.transcript_type === 'automated' && metadata.delay_reason === null
  const enabled = useQuery(account.overview(session)).data?.features.queue === true && isHeard
  const { data } = useQuery({ ...queue.ofFile(session, id), enabled })
  return enabled ? (data ?? null) : null
}

/** An order that never becomes ready: why, and what was refunded, if anything was. */
function GivenUp({ record }: { record: FileRecord }) {
  return (
    <div className="border-b border-line bg-surface py-2.5">
      <div className={textAxisClass}>
        <p className="font-semibold">{givenUpText(record)}</p>
        <p className="text-sm text-pretty">{record.metadata.delay_reason} It can be deleted at any time.</p>
      </div>
    </div>
  )
}

/** Progress of a transcript, aligned above its text; amber only if it is delayed. */
export function InProgress({ record, ...work }: Props) {
  const dates = useDates()
  const place = useQueuePlace(work.session, record)
  const late = record.metadata.delay_reason
  if (isGivenUp(record)) return <GivenUp record={record} />
  return (
    <div className={`border-b border-line py-2.5 ${late === null ? 'bg-surface' : 'bg-warn-soft text-warn'}`}>
      <div className={`flex flex-wrap items-center gap-x-4 gap-y-1 ${textAxisClass}`}>
        <p className="font-semibold">Work in progress</p>
        <ProgressBar
          className="max-w-60 min-w-16 flex-1"
          tone={late === null ? 'accent' : 'warn'}
          percent={record.percent}
          label="Progress of the transcript"
        />
        <span className="text-sm tabular-nums">
          {Math.floor(record.percent)}% · {late !== null && `delayed · ${late} · `}
          {place === null
            ? `${record.dueAt < Date.now() ? 'was due' : 'due'} ${dates.moment(record.dueAt)}`
            : queueWords(place)}
        </span>
        <Later wanted={record.metadata.options.transcript_type === 'manual'}>
          <WorkDone record={record} {...work} />
        </Later>
        <p role="note" className="basis-full text-sm text-pretty">
          Not final: the text is incomplete and may still change.
        </p>
      </div>
    </div>
  )
}
