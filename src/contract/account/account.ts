import * as z from 'zod/mini'
import { environments } from '../interface/environment.ts'
import { orderOptions } from '../interface/order-options.ts'
import { rates } from '../interface/price.ts'
import { paymentMethod } from './payment.ts'
import { recognition } from './recognition.ts'
import { recentRefunds } from './refunds.ts'
import { programText } from './settings.ts'

/*
 * Parley's own interface beside the spec's `/v1/`, at `accountBasePath`: same Basic key, same `{"error"}` body. One
 * file a resource: account-keys, account-payment, account-usage, account-webhooks, account-corrections, account-pages, account-events,
 * account-search, account-settings, account-sandbox. A body that its reader refuses is a 400; unknown ids are a 404.
 */

/** What a service offers beside the spec's `/v1/`; a remote service without an account interface offers none of it. */
const features = z.object({
  /** who types manual orders: the sandbox's time-lapse pool, the operator's staff, or nobody yet; off: they are refused (decision 105) */
  manual_typing: z.enum(['pool', 'staff', 'none', 'off']),
  pages: z.boolean(),
  /** corrections are kept by the service */
  corrections: z.boolean(),
  /** words that it puts right by itself */
  vocabulary: z.boolean(),
  /** captions that were ordered are checked, with a report */
  captions: z.boolean(),
  /** words of all files are searched by the service */
  search: z.boolean(),
  events: z.boolean(),
  playback: z.boolean(),
  resumable_uploads: z.boolean(),
  links: z.boolean(),
  keys: z.boolean(),
  webhooks: z.boolean(),
  delete_when_ready: z.boolean(),
  settings: z.boolean(),
  usage: z.boolean(),
  /** names, notes and tags of files */
  labels: z.boolean(),
  /** how long recognition takes at present */
  queue: z.boolean(),
  /** projects of files */
  projects: z.boolean(),
  /** what was done, by whom */
  log: z.boolean(),
  /** retention rules */
  keeping: z.boolean(),
  payment: z.boolean(),
  sandbox_tools: z.boolean(),
})

/** Answer of `GET ''`, the base path itself: who signed in, and what the dashboard may offer. */
export const accountOverview = z.object({
  id: z.string(),
  name: z.string(),
  environment: z.enum(environments),
  key_last_four: z.string(),
  currency: z.string(),
  discount_percent: z.number(),
  rates,
  /** where the account gets help; null if the operator has set none */
  support_email: z.nullable(z.string()),
  /** whose name and address stand on receipts; null if the operator has set none */
  seller: z.optional(z.nullable(z.string())),
  payment_method: z.nullable(paymentMethod),
  recent_refunds: z.nullable(recentRefunds),
  default_options: orderOptions,
  custom_formatting_enabled: z.boolean(),
  /** which text programs get (account-settings); absent if the service knows no such setting */
  program_text: z.optional(programText.shape.program_text),
  recognition,
  features,
})
export type AccountOverview = z.infer<typeof accountOverview>
