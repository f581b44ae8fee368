import * as z from 'zod/mini'
import { environments } from './environment.ts'
import { orderOptions } from './order-options.ts'
import { rates } from './price.ts'

/** The saved payment method; its number is never kept. */
export const paymentMethod = z.object({
  brand: z.string(),
  last_four: z.string(),
  exp_month: z.int(),
  exp_year: z.int(),
})
export type PaymentMethod = z.infer<typeof paymentMethod>

/** What a service offers beside the spec's `/v1/`; a remote service without an account interface offers none of it. */
export const features = z.object({
  /** who types manual orders: the sandbox's time-lapse pool, or nobody yet (decision 12) */
  manual_typing: z.enum(['pool', 'none']),
  pages: z.boolean(),
  events: z.boolean(),
  playback: z.boolean(),
  resumable_uploads: z.boolean(),
  links: z.boolean(),
  keys: z.boolean(),
  webhooks: z.boolean(),
  delete_when_ready: z.boolean(),
})
export type Features = z.infer<typeof features>

/** Answer of `GET /account/`: who signed in, and what the dashboard may offer. */
export const accountOverview = z.object({
  id: z.string(),
  name: z.string(),
  environment: z.enum(environments),
  key_last_four: z.string(),
  currency: z.string(),
  discount_percent: z.number(),
  rates,
  payment_method: z.nullable(paymentMethod),
  default_options: orderOptions,
  custom_formatting_enabled: z.boolean(),
  features,
})
export type AccountOverview = z.infer<typeof accountOverview>
