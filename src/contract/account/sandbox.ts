import * as z from 'zod/mini'
import { orderOptions } from '../interface/order-options.ts'

const progressPercent = z.number().check(z.minimum(0), z.maximum(100))
const maxSampleSeconds = 24 * 60 * 60

/**
 * Body of `POST tools/files`, sandbox only: a silent recording with sample text, charged like any other. 201 with
 * `fileId`.
 */
export const sampleFile = z.strictObject({
  seconds: z.number().check(z.minimum(1), z.maximum(maxSampleSeconds)),
  progress_percent: progressPercent,
  name: z.optional(z.string().check(z.maxLength(200))),
  transcript_type: z.optional(orderOptions.shape.transcript_type),
})
export type SampleFile = z.infer<typeof sampleFile>

/**
 * Body of `POST tools/files/<id>/progress`: sets progress manually, never down; from then on it no longer advances
 * automatically. 204.
 */
export const movedProgress = z.strictObject({ progress_percent: progressPercent })

/**
 * Body of `POST tools/files/<id>/delay`: a reason makes the file late, with a new due date; null puts it back on time.
 * 204.
 */
export const sampleDelay = z.strictObject({
  delay_reason: z.nullable(z.string().check(z.minLength(1), z.maxLength(200))),
})

/** Body of `POST tools/webhook`: while on, no request is sent and each attempt fails. 204. */
export const sampleWebhook = z.strictObject({ simulate_failure: z.boolean() })

/** Response of `POST demo`, sandbox only and without a key (201): a new account with a test card. */
export const demoAccount = z.object({
  /** id of the new account */
  account: z.string(),
  /** its API key, shown only here */
  key: z.string(),
})
export type DemoAccount = z.infer<typeof demoAccount>
