import type { Delivery, Webhook } from '../../platform/db/schema.ts'
import type { Clock } from '../../platform/platform.ts'
import type { Dispatch, StoredMessage } from './delivery-request.ts'
import { DispatchError, deliveryPost, deliveryTimeoutMs, storedAnswer, storedRequest } from './delivery-request.ts'

/** The result of one attempt. `error` null: the receiver accepted it. */
export type Attempt = {
  /** milliseconds since 1970 */
  triedAt: number
  request: StoredMessage
  response: StoredMessage | null
  status: number | null
  tookMs: number
  error: string | null
  /** the receiver answered that it wants no more events (410) */
  gone: boolean
}

function wordsFor(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `Returned ${status}: redirects are not followed. Set the final URL.`
  if (status === 410) return 'Returned 410: the receiver wants no more events.'
  return `Returned ${status}.`
}

/** Makes one delivery attempt within `timeoutMs`. Never throws: a failure is part of the result. */
export async function attemptDelivery(
  dispatch: Dispatch,
  webhook: Webhook,
  delivery: Delivery,
  clock: Clock,
  signal: AbortSignal,
  timeoutMs: number = deliveryTimeoutMs,
): Promise<Attempt> {
  const triedAt = clock()
  const post = deliveryPost(webhook, delivery, triedAt)
  const request = storedRequest(post)
  const startedMs = performance.now()
  const none = { triedAt, request, response: null, status: null, gone: false }
  const took = () => Math.round(performance.now() - startedMs)
  if (webhook.simulate_failure === 1) {
    return { ...none, tookMs: 0, error: 'Failed on purpose by the sandbox tools: nothing was sent.' }
  }
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await dispatch(post, AbortSignal.any([signal, timeout]))
    const error = wordsFor(answer.status)
    const response = storedAnswer(answer)
    return { triedAt, request, response, status: answer.status, tookMs: took(), error, gone: answer.status === 410 }
  } catch (cause) {
    if (timeout.aborted) return { ...none, tookMs: took(), error: `No response within ${timeoutMs / 1_000} s.` }
    const error = cause instanceof DispatchError ? cause.message : 'The connection failed.'
    return { ...none, tookMs: took(), error }
  }
}
