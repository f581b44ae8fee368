import type { FileRecord } from '../../api/metadata-reader.ts'
import type { Dates } from '../../ui/dates.ts'
import { roughLength } from '../../ui/duration.ts'
import { countOf, countText } from '../../ui/sizes.ts'

/** `41 of 60 ready, the last about 16:40 · 52 h of recordings`; all of it from the files themselves. */
export function projectSums(records: readonly FileRecord[], dates: Dates, now: number): string {
  if (records.length === 0) return 'No files yet'
  const running = records.filter(({ percent }) => percent < 100)
  const ready = records.length - running.length
  const last = Math.max(...running.map(({ dueAt }) => (Number.isFinite(dueAt) ? dueAt : 0)), 0)
  const state =
    running.length === 0
      ? `${countOf(ready, 'file')}, all ready`
      : `${countText(ready)} of ${countText(records.length)} ready${lastText(last, dates, now)}`
  const seconds = records.reduce((sum, record) => sum + (Number.isFinite(record.seconds) ? record.seconds : 0), 0)
  return seconds > 0 ? `${state} · ${roughLength(seconds)} of recordings` : state
}

/** When the last is due; nothing where that is over, as nobody knows then. */
function lastText(last: number, dates: Dates, now: number): string {
  return last > now ? `, the last about ${dates.moment(last, now)}` : ''
}
