import { roughLength } from '../../../base/ui/duration.ts'
import { countText, formatCount } from '../../../base/ui/sizes.ts'
import type { LibrarySnapshot } from '../../../signed-in/library/library-snapshot.ts'
import type { ListView } from '../list/list-view.ts'

/**
 * `128 files · 3 in progress · 94 h of recordings · 5 archived`: what is listed, and then what is not. `12 of 133 files` if
 * filtered; totals only once all is read.
 */
export function summaryText(
  snapshot: LibrarySnapshot,
  { seconds, read }: Pick<ListView, 'seconds' | 'read'>,
  isFiltered: boolean,
): string {
  if (snapshot.total === null) return snapshot.awaited ? 'Uploading…' : 'Loading files…'
  if (snapshot.total === 0) return 'No files yet'
  const listed = formatCount(snapshot.total - snapshot.archived, 'file')
  if (readingText(snapshot) !== null) return listed
  // A search finds archived files, too.
  if (isFiltered) return `${countText(read)} of ${formatCount(snapshot.total, 'file')}`
  const parts = [listed]
  if (snapshot.inProgress > 0) parts.push(`${countText(snapshot.inProgress)} in progress`)
  if (seconds > 0) parts.push(`${roughLength(seconds)} of recordings`)
  if (snapshot.archived > 0) parts.push(`${countText(snapshot.archived)} archived`)
  return parts.join(' · ')
}

/** `812 of 3,204 loaded`, or null once all is read. */
export function readingText({ complete, total, read }: LibrarySnapshot): string | null {
  return !complete && total !== null && read < total ? `${countText(read)} of ${countText(total)} loaded` : null
}
