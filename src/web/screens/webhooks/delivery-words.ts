import type { DeliveryEntry } from '../../../contract/account/webhooks.ts'
import type { Dates } from '../../base/ui/dates.ts'
import type { PillTone } from '../../base/ui/pill.tsx'
import { countText } from '../../base/ui/sizes.ts'

/** `text` may be truncated, `next` may not. */
type Standing = { text: string; next?: string; tone: PillTone }

/** The state of a delivery, in a few words and a color. */
export function describeResponse(delivery: DeliveryEntry, dates: Dates): Standing {
  const { state, response_status: status, response_ms: ms, next_attempt: nextAt, error } = delivery
  const took = ms === null ? '' : ` in ${countText(ms)} ms`
  if (state === 'delivered') return { text: `${status ?? 'done'}${took}`, tone: 'ok' }
  if (state === 'sending') return { text: 'sending', tone: 'plain' }
  // The start of the reason; the delivery's panel has all of it.
  const failure = status === null ? (error?.split(/[.;:]/)[0] ?? 'no response') : String(status)
  // A test event is sent once; others are given up after their last attempt.
  if (state === 'failed')
    return { text: failure, next: delivery.file_id === null ? 'not retried' : 'no more retries', tone: 'bad' }
  const isFresh = delivery.attempts === 0
  if (nextAt === null)
    return { text: isFresh ? 'held while paused' : failure, ...(!isFresh && { next: 'held' }), tone: 'warn' }
  if (isFresh) return { text: 'waiting', tone: 'plain' }
  return { text: failure, next: `next attempt ${dates.time(Date.parse(nextAt))}`, tone: 'warn' }
}
