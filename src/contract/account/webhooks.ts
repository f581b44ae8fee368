import * as z from 'zod/mini'

/** The account's webhook. Times are ISO 8601, UTC. */
const webhook = z.object({
  /** address that is called */
  url: z.string(),
  created: z.string(),
  /** until then the secret before the last rotation still signs alongside the new one */
  previous_secret_until: z.nullable(z.string()),
  /** since when deliveries wait, ISO 8601; null: they do not */
  paused: z.nullable(z.string()),
  /** human-readable; null if it was paused manually */
  pause_reason: z.nullable(z.string()),
  /** sandbox tools: every delivery fails (no request is sent) */
  simulate_failure: z.boolean(),
})
export type WebhookEntry = z.infer<typeof webhook>

/** Response of `GET webhook`, `PUT webhook` `{url}`, `POST webhook/pause` and `POST webhook/resume`. */
export const webhookOverview = z.object({
  webhook: z.nullable(webhook),
  /** shown once, in the response that created it: the first `PUT webhook`, or `POST webhook/secret` (rotation) */
  secret: z.optional(z.string()),
})
export type WebhookOverview = z.infer<typeof webhookOverview>

export const newWebhook = z.strictObject({ url: z.string().check(z.maxLength(2_000)) })

export const deliveryStates = ['waiting', 'sending', 'delivered', 'failed'] as const

/** One delivery of an event (spec 6), as in the list. */
const delivery = z.object({
  /** the message id, the same for every attempt (Standard Webhooks `webhook-id`) */
  id: z.string(),
  /** null for a test event */
  file_id: z.nullable(z.string()),
  file_name: z.string(),
  progress_percent: z.number(),
  state: z.enum(deliveryStates),
  /** attempts so far */
  attempts: z.int(),
  next_attempt: z.nullable(z.string()),
  /** of the last attempt; null if there was no response */
  response_status: z.nullable(z.int()),
  response_ms: z.nullable(z.int()),
  /** why the last attempt failed, human-readable */
  error: z.nullable(z.string()),
  created: z.string(),
  updated: z.string(),
})
export type DeliveryEntry = z.infer<typeof delivery>

/** Header values as sent and received. Text, never markup. */
const message = z.object({ head: z.string(), headers: z.array(z.tuple([z.string(), z.string()])), body: z.string() })

/** One attempt of a delivery: request and response, truncated to a limit. */
const deliveryTry = z.object({
  /** 1 for the first */
  number: z.int(),
  /** when it was sent */
  at: z.string(),
  /** null if there was no response */
  status: z.nullable(z.int()),
  ms: z.int(),
  /** why it failed, human-readable; null if it succeeded */
  error: z.nullable(z.string()),
  /** what was sent */
  request: message,
  /** what came back; null: nothing */
  response: z.nullable(message),
  /** the response was longer than what is stored */
  response_truncated: z.boolean(),
})
export type DeliveryTry = z.infer<typeof deliveryTry>

/** How many of a delivery's newest attempts are stored. */
export const maxStoredTries = 20

/** Response of `GET deliveries/<id>`, `POST deliveries/<id>/redeliver` and `POST webhook/test` (202). */
export const deliveryDetail = z.extend(delivery, {
  /** its attempts with what was sent and answered, newest first */
  tries: z.array(deliveryTry),
})
export type DeliveryDetail = z.infer<typeof deliveryDetail>

/** Response of `GET deliveries?state=&file=&cursor=&limit=`, newest first. */
export const deliveryPage = z.object({
  /** newest first */
  deliveries: z.array(delivery),
  next_cursor: z.nullable(z.string()),
})
export type DeliveryPage = z.infer<typeof deliveryPage>

/** Body of `POST deliveries/redeliver`: resends all deliveries that failed since then. The response counts them. */
export const redeliverFailed = z.strictObject({ failed_since: z.iso.datetime() })
export const redelivered = z.object({ count: z.int() })
