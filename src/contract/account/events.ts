import * as z from 'zod/mini'

/**
 * What `GET events` sends, as server-sent events: `id:` grows, `event:` is the kind, `data:` is this JSON. Send the
 * last id in `Last-Event-ID` to continue from there.
 */
export const accountEvents = {
  /** a file was ordered: read what changed since (account-pages) */
  'file-created': z.object({ id: z.string() }),
  /** progress, delay or due date of a file moved */
  'file-progress': z.object({
    id: z.string(),
    progress_percent: z.number(),
    delay_reason: z.nullable(z.string()),
    delivery: z.string(),
  }),
  /** a file is gone: deleted, or the sandbox's 24 hours are over */
  'file-deleted': z.object({ id: z.string() }),
  /** corrections of a transcript changed: read those of this revision or a later one */
  corrections: z.object({ id: z.string(), revision: z.int() }),
  /** somebody checked turns of a transcript, or changed its review state: read the review of this revision or a later one */
  review: z.object({ id: z.string(), revision: z.int() }),
  /** names, notes or tags of files changed: read what changed since (account-pages) */
  labels: z.object({}),
  /** projects changed, or which files they hold: read them and what changed since (account-pages, account-projects) */
  projects: z.object({}),
  /** name, defaults, payment method, keys, vocabulary or settings changed: read them again */
  account: z.object({}),
  /** the webhook was set, paused or resumed */
  webhook: z.object({ paused: z.boolean(), pause_reason: z.nullable(z.string()) }),
  /** a delivery was made, tried or ended */
  delivery: z.object({ id: z.string() }),
  /** an order was refused because the card was */
  'payment-failed': z.object({ reason: z.string() }),
} as const

export type AccountEventKind = keyof typeof accountEvents
export type AccountEventData<Kind extends AccountEventKind> = z.infer<(typeof accountEvents)[Kind]>

/** Sent first on every stream, with the id to continue from: on receiving it, read what changed since you last did. */
export const helloEvent = z.object({ heartbeat_ms: z.int() })
/** Event kinds of the stream itself. `resync`: events in between are lost, so read everything again. */
export const streamEventKinds = { hello: 'hello', resync: 'resync' } as const

/** A comment line is sent this often; a stream silent for three times as long is dead. */
export const heartbeatMs = 15_000
