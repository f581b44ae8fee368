import { Notice } from '../../../base/ui/notice.tsx'
import type { LibrarySnapshot } from '../../../signed-in/library/library-snapshot.ts'
import { useEventsState } from '../../../signed-in/library/use-live.ts'
import { useDates } from '../../../signed-in/preferences/preferred-dates.ts'
import { useNow } from '../list/use-now.ts'
import { readingText } from './summary-text.ts'

/** Why the list may be out of date: the last request's failure, and the age of cached rows. */
export function ListNotices({ snapshot }: { snapshot: LibrarySnapshot }) {
  const now = useNow()
  const dates = useDates()
  const { failure, cachedAt } = snapshot
  if (failure === null) return null
  const since = cachedAt === null ? '' : ` Showing the list as of ${dates.moment(cachedAt, now)}.`
  if (failure.status === 0)
    return (
      <Notice tone="warn">
        {failure.message} Retrying automatically.{since}
      </Notice>
    )
  if (failure.status === 429) return <Notice>The service is limiting requests. The rest loads automatically.</Notice>
  return (
    <Notice tone="bad">
      The service returned an error: {failure.message} Retrying automatically.{since}
    </Notice>
  )
}

/** How much is loaded, and how the list is updated if no events arrive. */
export function ReadingState({ snapshot }: { snapshot: LibrarySnapshot }) {
  const events = useEventsState()
  const { complete, failure } = snapshot
  const parts = [
    readingText(snapshot),
    complete && events === 'absent' && failure === null ? 'updating every 15 s' : null,
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  return <span className="text-ink-3"> · {parts.join(' · ')}</span>
}
