import { type FileRecord, isGivenUp } from '../../../base/api/metadata-reader.ts'
import type { Dates } from '../../../base/ui/dates.ts'
import { roughLength } from '../../../base/ui/duration.ts'
import { countText, formatCount } from '../../../base/ui/sizes.ts'

/**
 * `41 of 60 ready, all by about today, 16:40 · 52 h of recordings · 2 archived`: what the list below shows, and then what
 * it does not.
 */
export function projectSums(all: readonly FileRecord[], dates: Dates, now: number): string {
  if (all.length === 0) return 'No files yet'
  const records = all.filter(({ labels }) => !labels?.archived)
  const archived = all.length - records.length
  const hidden = archived === 0 ? [] : [`${countText(archived)} archived`]
  if (records.length === 0) return hidden.join()
  const running = records.filter((record) => record.percent < 100 && !isGivenUp(record))
  const givenUp = records.filter(isGivenUp).length
  const ready = records.length - running.length - givenUp
  const last = Math.max(...running.map(({ dueAt }) => (Number.isFinite(dueAt) ? dueAt : 0)), 0)
  const state =
    ready === records.length
      ? `${formatCount(ready, 'file')}, all ready`
      : `${countText(ready)} of ${countText(records.length)} ready${lastText(last, dates, now)}`
  const ended = givenUp === 0 ? [] : [`${countText(givenUp)} given up`]
  const seconds = records.reduce((sum, record) => sum + (Number.isFinite(record.seconds) ? record.seconds : 0), 0)
  const length = seconds > 0 ? [`${roughLength(seconds)} of recordings`] : []
  return [state, ...ended, ...length, ...hidden].join(' · ')
}

/** When the last is due; empty once that has passed, since no estimate exists then. */
function lastText(last: number, dates: Dates, now: number): string {
  return last > now ? `, all by about ${dates.moment(last, now)}` : ''
}
