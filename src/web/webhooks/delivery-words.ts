import type { DeliveryEntry } from '../../contract/account-webhooks.ts'
import { timeText } from '../ui/dates.ts'
import type { PillTone } from '../ui/pill.tsx'

/** How a delivery stands, in a few words and a colour. */
export function answerOf(delivery: DeliveryEntry): { text: string; tone: PillTone } {
  const { state, response_status: status, response_ms: ms, next_attempt: next, error } = delivery
  const took = ms === null ? '' : ` in ${ms} ms`
  if (state === 'delivered') return { text: `${status ?? 'done'}${took}`, tone: 'ok' }
  if (state === 'sending') return { text: 'sending', tone: 'plain' }
  const failure = status === null ? (error ?? 'no answer') : String(status)
  if (state === 'failed') return { text: failure, tone: 'bad' }
  if (delivery.attempts === 0) return { text: 'waiting', tone: 'plain' }
  return { text: `${failure}${next ? ` · next try ${timeText(Date.parse(next))}` : ''}`, tone: 'warn' }
}
