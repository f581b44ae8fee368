import { Link } from 'react-router'
import { type Dates, dayStart } from '../../../base/ui/dates.ts'
import { Notice } from '../../../base/ui/notice.tsx'
import { formatCount } from '../../../base/ui/sizes.ts'
import type { FileRow } from '../../../signed-in/library/library-rows.ts'
import { useDates } from '../../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../../signed-in/session/session.ts'
import { leavesSoonMs } from '../columns/progress-text.ts'

type Going = { recordings: number; files: number }

/** Upcoming deletions by retention rules within about a week, by local days. */
function goingSoon(rows: readonly FileRow[], now: number): [day: number, Going][] {
  const days = new Map<number, Going>()
  for (const { record } of rows) {
    if (!record?.leaves) continue
    const at = Date.parse(record.leaves.at)
    if (at - now >= leavesSoonMs) continue
    const day = dayStart(at)
    const going = days.get(day) ?? { recordings: 0, files: 0 }
    going[record.leaves.what === 'all' ? 'files' : 'recordings'] += 1
    days.set(day, going)
  }
  return [...days].sort(([a], [b]) => a - b)
}

function dayText([day, { recordings, files }]: [number, Going], now: number, dates: Dates): string {
  const what = [recordings > 0 && formatCount(recordings, 'recording'), files > 0 && formatCount(files, 'file')].filter(
    Boolean,
  )
  return `${what.join(' and ')} on ${dates.day(day, now)}`
}

type Props = { rows: readonly FileRow[]; now: number }

/** Announces deletions by retention rules a week in advance. */
export function LeavingNotice({ rows, now }: Props) {
  const { environment } = useSession()
  const dates = useDates()
  const soon = goingSoon(rows, now)
  if (soon.length === 0) return null
  const [days, more] = [soon.slice(0, 3), soon.length > 3]
  const linkClass = 'underline underline-offset-2'
  return (
    <Notice tone="warn">
      Will be deleted automatically: {days.map((day) => dayText(day, now, dates)).join(', ')}
      {more && ' and more in the days after'}.{' '}
      <Link to={`/${environment}/files?q=is:leaving`} className={linkClass}>
        Show them
      </Link>{' '}
      <Link to={`/${environment}/settings/account#retention`} className={linkClass}>
        Rules
      </Link>
    </Notice>
  )
}
