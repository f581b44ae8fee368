import * as z from 'zod/mini'

/**
 * Server-sent events of `GET events`: `id:` increases, `event:` is the kind, `data:` is this JSON. Send the last id in
 * `Last-Event-ID` to continue from there.
 */
export const accountEvents = {
  /** a file was ordered: fetch what changed since (`file-pages.ts`) */
  'file-created': z.object({ id: z.string() }),
  /** progress, delay or due date of a file changed */
  'file-progress': z.object({
    id: z.string(),
    progress_percent: z.number(),
    delay_reason: z.nullable(z.string()),
    delivery: z.string(),
    /** it was given up and refunded, and never becomes ready */
    given_up: z.optional(z.literal(true)),
  }),
  /** a file is gone: deleted, or the sandbox's 24 hours are over */
  'file-deleted': z.object({ id: z.string() }),
  /** corrections of a transcript changed: fetch this revision or a later one */
  corrections: z.object({ id: z.string(), revision: z.int() }),
  /**
   * somebody checked turns of a transcript, or changed its review state: fetch this revision of the review or a later
   * one
   */
  review: z.object({ id: z.string(), revision: z.int() }),
  /** names, notes or tags of files changed, or a rule deleted recordings: fetch what changed since (`file-pages.ts`) */
  labels: z.object({}),
  /** projects or their files changed: fetch the projects and what changed since (`file-pages.ts`, `projects.ts`) */
  projects: z.object({}),
  /** name, defaults, payment method, keys, vocabulary or settings changed: fetch them again */
  account: z.object({}),
  /** the webhook was set, paused or resumed */
  webhook: z.object({ paused: z.boolean(), pause_reason: z.nullable(z.string()) }),
  /** a delivery was created, attempted or ended */
  delivery: z.object({ id: z.string() }),
  /** an order was refused because the card was declined */
  'payment-failed': z.object({ reason: z.string() }),
  /** an order was refused because the bank asks the cardholder to confirm its payment at this URL */
  'payment-waits': z.object({ url: z.string() }),
  /** the saved card expires within a month: another one is needed */
  'card-expires': z.object({ reason: z.string() }),
} as const

export type AccountEventKind = keyof typeof accountEvents
export type AccountEventData<Kind extends AccountEventKind> = z.infer<(typeof accountEvents)[Kind]>

/** First event of every stream, with the id to continue from. On receipt, fetch what changed since the last fetch. */
export const helloEvent = z.object({ heartbeat_ms: z.int() })
/** Event kinds of the stream itself. `resync`: events were lost, so fetch everything again. */
export const streamEventKinds = { hello: 'hello', resync: 'resync' } as const

/** Interval of the keep-alive comment; a stream silent for three times as long is dead. */
export const heartbeatMs = 15_000
