import { useQuery } from '@tanstack/react-query'
import type { FileWork, WorkSection } from '../../../contract/account-work.ts'
import { account } from '../../api/account.ts'
import type { Session } from '../../api/client.ts'
import { fileWorkQuery } from '../../api/file-work.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'
import { clockText } from '../../ui/duration.ts'
import { countOf, countText } from '../../ui/sizes.ts'
import { workText } from './work-text.ts'

const looks: Record<WorkSection['state'], { words: string; fill: string }> = {
  waiting: { words: 'not begun', fill: 'bg-line' },
  typing: { words: 'being typed', fill: 'bg-accent-soft' },
  typed: { words: 'typed', fill: 'bg-accent/60' },
  reviewed: { words: 'typed and reviewed', fill: 'bg-accent' },
}

type Props = { session: Session; record: FileRecord; onPlay: (seconds: number) => void }

/** What people have done so far of a manual order, part by part; a press plays a part. Nothing where no people work on it. */
export function WorkDone({ session, record, onPlay }: Props) {
  const enabled = useQuery(account.overview(session)).data?.features.manual_typing === 'staff'
  const { data } = useQuery({ ...fileWorkQuery(session, record.id, record.percent), enabled })
  if (data === undefined || data.parts === 0) return null
  return (
    <div className="grid basis-full gap-1.5">
      <p className="text-sm">{workText(data)}</p>
      <Parts work={data} onPlay={onPlay} />
    </div>
  )
}

function Parts({ work: { sections }, onPlay }: { work: FileWork; onPlay: (seconds: number) => void }) {
  return (
    <ol aria-label="Parts" className="flex h-5 gap-0.5">
      {sections.map(({ start, end, state, blanks }) => {
        const stretch = `${clockText(start)} to ${clockText(end)}`
        const missing = blanks === 0 ? '' : `, ${countOf(blanks, 'blank')}`
        const label = `${stretch}: ${looks[state].words}${missing}`
        return (
          <li key={start} className="flex min-w-0" style={{ flexGrow: end - start }}>
            <button
              type="button"
              aria-label={`Play ${label}`}
              data-tooltip={label}
              onClick={() => onPlay(start)}
              className={`h-full w-full min-w-0 rounded-sm ${looks[state].fill}`}
            >
              {blanks > 0 && <span className="text-xs font-semibold">{countText(blanks)}</span>}
            </button>
          </li>
        )
      })}
    </ol>
  )
}
