import * as z from 'zod/mini'
import { environments } from '../interface/environment.ts'
import { orderOptions } from '../interface/order-options.ts'
import { datedRates, rates } from '../interface/price.ts'
import { balance } from './balance.ts'
import { captionRules } from './captions.ts'
import { keyLimits } from './key-limits.ts'
import { paymentMethod } from './payment.ts'
import { programText } from './settings.ts'

/** What the operator found when the engine heard recordings whose words are known. */
const measured = z.object({
  /** words that came out wrong, missing or too many, in percent of those that were said */
  wrong_percent: z.number(),
  /** how many words were said */
  words: z.int(),
  /** when it was measured, ISO 8601 */
  measured_at: z.string(),
  /** `own`: recordings of the operator's choice; `made`: a few sentences of a synthetic voice */
  recordings: z.enum(['own', 'made']),
})
export type Measured = z.infer<typeof measured>

/** The current speech engine and its quality, shown before an automated order is paid. */
export const recognition = z.object({
  /** null: none is available, and orders wait; `reason` says why */
  engine: z.nullable(z.enum(['sherpa', 'http', 'pocketsphinx'])),
  /** why there is none, or why it is this one, in words */
  reason: z.nullable(z.string()),
  /** the only language it is configured for (BCP 47); null: the server that it calls decides */
  language: z.nullable(z.string()),
  /** by the last measurement: `low` if 15 words or more in 100 came out wrong, else `good`; `unknown`: not measured */
  quality: z.enum(['low', 'good', 'unknown']),
  /** the last measurement; null or absent: none was made */
  measured: z.optional(z.nullable(measured)),
  /** a speech model is being downloaded, and orders wait for it */
  model_download: z.nullable(
    z.object({
      /** bytes of the model that have arrived */
      bytes: z.int(),
      /** size of the model in bytes */
      total_bytes: z.int(),
    }),
  ),
})
export type Recognition = z.infer<typeof recognition>

/** Refunds of the last seven days (each is also in the ledger), for a notice after their files are deleted. */
const recentRefunds = z.object({
  count: z.int(),
  /** their sum in cents, positive */
  amount_cents: z.int(),
  /** of them, those on the way back to a card */
  pending: z.int(),
  /** the sum of these in cents, positive */
  pending_cents: z.int(),
  /** when the last of these, or of all if none is pending, is due, ISO 8601 */
  last_due: z.string(),
  /** name of the newest of these files */
  file_name: z.string(),
})
export type RecentRefunds = z.infer<typeof recentRefunds>

/*
 * Parley's own interface alongside the spec's `/v1/`, at `accountBasePath`: same Basic key, same `{"error"}` body. One
 * file per resource. A body that fails validation is a 400; an unknown id is a 404.
 */

/**
 * Feature flags: what a service offers besides the spec's `/v1/`. A remote service without an account interface offers
 * none.
 */
const features = z.object({
  /**
   * who types manual orders: the sandbox's time-lapse pool, the operator's staff, or nobody yet; off: refused (decision
   * 105)
   */
  manual_typing: z.enum(['pool', 'staff', 'none', 'off']),
  /** the list of files is read in pages */
  pages: z.boolean(),
  /** the service stores corrections */
  corrections: z.boolean(),
  /** the service applies the account's vocabulary automatically */
  vocabulary: z.boolean(),
  /** captions that were ordered are checked, with a report */
  captions: z.boolean(),
  /** full-text search over all files */
  search: z.boolean(),
  /** changes arrive as server-sent events */
  events: z.boolean(),
  /** recordings can be played */
  playback: z.boolean(),
  /** uploads can be resumed (tus) */
  resumable_uploads: z.boolean(),
  /** recordings can be ordered by link */
  links: z.boolean(),
  /** keys can be made and revoked */
  keys: z.boolean(),
  /** webhooks can be set */
  webhooks: z.boolean(),
  /** files can be deleted by themselves once they are ready */
  delete_when_ready: z.boolean(),
  /** this key may delete files */
  deletion: z.boolean(),
  /** settings of the dashboard are kept with the account */
  settings: z.boolean(),
  /** spending is summed up */
  usage: z.boolean(),
  /** files can have names, notes and tags */
  labels: z.boolean(),
  /** waiting times are estimated */
  queue: z.boolean(),
  /** files can be put into projects */
  projects: z.boolean(),
  /** there is an audit log */
  log: z.boolean(),
  /** retention rules can be set */
  retention: z.boolean(),
  /** cards can be saved and removed */
  payment: z.boolean(),
  /** invoices are written */
  invoices: z.optional(z.boolean()),
  /** closing the account, and its export */
  closing: z.optional(z.boolean()),
  /** sandbox files can be made and moved */
  sandbox_tools: z.boolean(),
})

/** An account that its owner, or the operator, has closed. */
export const accountClosing = z.object({
  /** ISO 8601 */
  closed: z.string(),
  /** ISO 8601: from then on it is erased, and cannot come back */
  erases: z.string(),
  /** address of the statement, which needs no key: it says what was erased, and when */
  statement: z.string(),
})
export type AccountClosing = z.infer<typeof accountClosing>

/** Automated orders of a calendar month (UTC) cost nothing up to this length together (decision 144). */
export const freeMinutes = z.object({
  /** free in each month */
  month_seconds: z.number(),
  /** of them, those left in this month */
  left_seconds: z.number(),
})
export type FreeMinutes = z.infer<typeof freeMinutes>

/** Response of `GET ''`, the base path itself: the signed-in account and what the dashboard may offer. */
export const accountOverview = z.object({
  /** id of the account */
  id: z.string(),
  /** name of the account */
  name: z.string(),
  environment: z.enum(environments),
  key_last_four: z.string(),
  /** limits of the key in use; absent if it has none */
  key_limits: z.optional(
    z.object({ ...keyLimits.shape, month_spent_cents: z.int(), total_spent_cents: z.optional(z.int()) }),
  ),
  currency: z.string(),
  discount_percent: z.number(),
  rates,
  /** the day (UTC) since when these rates hold; null: from the beginning */
  rates_from: z.optional(z.nullable(z.string())),
  /** the rates that follow, with their day; null: none are known */
  next_rates: z.optional(z.nullable(datedRates)),
  /** absent or null: every minute is charged */
  free_minutes: z.optional(z.nullable(freeMinutes)),
  /** where the account gets help; null if the operator has set none */
  support_email: z.nullable(z.string()),
  /** seller's name and address on receipts; null if the operator has set none */
  seller: z.optional(z.nullable(z.string())),
  /** no money moves: of the sandbox, or test cards pay; absent: it does, or that is not known */
  is_test_money: z.optional(z.literal(true)),
  /** the VAT that prices include, in percent; 0: the customer accounts for it (reverse charge); absent: none is set */
  vat_percent: z.optional(z.number()),
  payment_method: z.nullable(paymentMethod),
  /** what orders are paid from; absent: the service has no balance, and charges each order to the card */
  balance: z.optional(balance),
  recent_refunds: z.nullable(recentRefunds),
  default_options: orderOptions,
  custom_formatting_enabled: z.boolean(),
  /** absent: the account is open */
  closing: z.optional(accountClosing),
  /** rules of the captions of files ordered from now on; absent: Parley's */
  caption_rules: z.optional(captionRules),
  /** which text programs get; absent if the service has no such setting */
  program_text: z.optional(programText.shape.program_text),
  recognition,
  features,
})
export type AccountOverview = z.infer<typeof accountOverview>
