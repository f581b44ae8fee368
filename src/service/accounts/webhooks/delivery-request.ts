import { createHmac, randomBytes } from 'node:crypto'
import type { Delivery, Webhook } from '../../platform/db/schema.ts'

/** Timeout of one attempt, from connecting to the end of the response (decision 9). */
export const deliveryTimeoutMs = 15_000
/** How much of a response is stored; the rest is not read. */
export const maxStoredBodyBytes = 16 * 1_024
const maxStoredHeaders = 50
const maxStoredHeaderLength = 1_000

/** The `id` of a test event, in place of a file's. */
export const testEventFileId = 'test_event'

/** A POST on its way to a customer's server. */
export type OutgoingPost = { account: string; url: URL; headers: Record<string, string>; body: string }

/** The response, truncated to what is stored. */
export type PostAnswer = { status: number; headers: [string, string][]; body: string; truncated: boolean }

/**
 * Sends one POST to a public address without following redirects.
 * @throws DispatchError if there is no response; its message is shown to the customer
 */
export type Dispatch = (post: OutgoingPost, signal: AbortSignal) => Promise<PostAnswer>

export class DispatchError extends Error {
  override readonly name = 'DispatchError'
}

/** Request and response as `deliveryDetail` shows them. */
export type StoredMessage = { head: string; headers: [string, string][]; body: string; truncated: boolean }

/**
 * The request of a delivery: body exactly `{"id"}` (spec 6), plus Standard Webhooks headers.
 * @param now milliseconds since 1970
 */
export function deliveryPost(webhook: Webhook, delivery: Delivery, now: number): OutgoingPost {
  const body = JSON.stringify({ id: delivery.file_id ?? testEventFileId })
  const timestamp = Math.floor(now / 1_000)
  const overlaps = webhook.previous_secret !== null && (webhook.previous_secret_until ?? 0) > now
  const secrets = overlaps ? [webhook.secret, webhook.previous_secret ?? ''] : [webhook.secret]
  return {
    account: webhook.account_id,
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

/** A request as stored. Its path may contain a customer's token: show it only to that customer, and never log it. */
export function storedRequest({ url, headers, body }: OutgoingPost): StoredMessage {
  const head = `POST ${url.pathname}${url.search} HTTP/1.1`
  return { head, headers: [['host', url.host], ...Object.entries(headers)], body, truncated: false }
}

/** A response as stored, each part truncated to a limit. */
export function storedAnswer(answer: PostAnswer): StoredMessage {
  const headers = answer.headers
    .slice(0, maxStoredHeaders)
    .map(([name, value]): [string, string] => [
      name.slice(0, maxStoredHeaderLength),
      value.slice(0, maxStoredHeaderLength),
    ])
  return { head: `HTTP/1.1 ${answer.status}`, headers, body: answer.body, truncated: answer.truncated }
}

const secretPrefix = 'whsec_'

/** A new webhook secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64')
}

/**
 * The `webhook-signature` header of Standard Webhooks 1.0: `v1,` and HMAC-SHA256 over id, time and body, once per
 * secret, so that the old one stays valid after a rotation.
 * @param timestamp seconds since 1970, as in the `webhook-timestamp` header
 */
function signatureHeader(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
}
