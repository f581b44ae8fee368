import type { Delivery, Webhook } from '../db/schema.ts'
import { signatureHeader } from './signature.ts'

/** One try is given this long, connecting and answer together (decision 9). */
export const deliveryTimeoutMs = 15_000
/** This much of an answer is kept; the rest is not read. */
export const maxStoredBodyBytes = 16 * 1_024
const maxStoredHeaders = 50
const maxStoredHeaderLength = 1_000

/** The `id` that a test event carries in place of a file's. */
export const testEventFileId = 'test_event'

/** A POST on its way to a customer's server. */
export type OutgoingPost = { url: URL; headers: Record<string, string>; body: string }

/** What came back: as much as is kept. */
export type PostAnswer = { status: number; headers: [string, string][]; body: string; truncated: boolean }

/**
 * Sends one POST to a public address; follows no redirect.
 * @throws DispatchError where no answer came, with the reason in words for the customer
 */
export type Dispatch = (post: OutgoingPost, signal: AbortSignal) => Promise<PostAnswer>

export class DispatchError extends Error {
  override readonly name = 'DispatchError'
}

/** Request and answer as `deliveryDetail` shows them. */
export type StoredMessage = { head: string; headers: [string, string][]; body: string; truncated: boolean }

/**
 * The request of a delivery: body exactly `{"id"}` (spec 6), Standard Webhooks headers beside it.
 * @param now milliseconds since 1970
 */
export function deliveryPost(webhook: Webhook, delivery: Delivery, now: number): OutgoingPost {
  const body = JSON.stringify({ id: delivery.file_id ?? testEventFileId })
  const timestamp = Math.floor(now / 1_000)
  const overlaps = webhook.previous_secret !== null && (webhook.previous_secret_until ?? 0) > now
  const secrets = overlaps ? [webhook.secret, webhook.previous_secret ?? ''] : [webhook.secret]
  return {
    url: new URL(webhook.url),
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Parley/1 (webhook)',
      'webhook-id': delivery.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeader(secrets, delivery.id, timestamp, body),
    },
    body,
  }
}

/** What is kept of a request. The path may carry a customer's token: it is shown to the customer alone, never logged. */
export function storedRequest({ url, headers, body }: OutgoingPost): StoredMessage {
  const head = `POST ${url.pathname}${url.search} HTTP/1.1`
  return { head, headers: [['host', url.host], ...Object.entries(headers)], body, truncated: false }
}

/** What is kept of an answer, bounded in every direction. */
export function storedAnswer(answer: PostAnswer): StoredMessage {
  const headers = answer.headers
    .slice(0, maxStoredHeaders)
    .map(([name, value]): [string, string] => [
      name.slice(0, maxStoredHeaderLength),
      value.slice(0, maxStoredHeaderLength),
    ])
  return { head: `HTTP/1.1 ${answer.status}`, headers, body: answer.body, truncated: answer.truncated }
}
