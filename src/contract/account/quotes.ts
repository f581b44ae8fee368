import * as z from 'zod/mini'
import { orderOptions } from '../interface/order-options.ts'
import { datedRates } from '../interface/price.ts'
import { freeMinutes } from './account.ts'
import { newDefaults } from './settings.ts'

/* What orders will cost, before anything is uploaded (decision 143). An order names its quote in `Quote-Id`. */

/** How long a quote is valid. */
export const quoteValidMs = 15 * 60_000
/** Recordings of one quote. */
const maxQuotedFiles = 100
/** Quotes of an account that are valid at once. */
export const maxQuotes = 100
/** Longest length that is priced: 1,000 hours. */
export const maxQuotedMs = 3_600_000_000

const quotedFile = z.strictObject({
  /** length in seconds; this or `duration` */
  seconds: z.optional(z.number()),
  /** length as hours, minutes and seconds: `1:02:30`, or `62:30` without hours */
  duration: z.optional(z.string()),
})
export type QuotedFile = z.infer<typeof quotedFile>

/** Body of `POST quotes`. */
export const newQuote = z.strictObject({
  /** the recordings, each with its length */
  files: z.array(quotedFile).check(z.minLength(1), z.maxLength(maxQuotedFiles)),
  /** as of an order: what is left out takes the account's defaults */
  options: z.optional(newDefaults),
})

const quoteLine = z.object({
  /** length that was asked for */
  seconds: z.number(),
  /** cost before the discount */
  cost_cents: z.int(),
  /** discount on it */
  discount_cents: z.int(),
  /** the most that an order of this recording is charged */
  total_cents: z.int(),
})

/** Answer of `GET rates`. */
export const accountRates = z.object({
  currency: z.string(),
  discount_percent: z.number(),
  /** what holds now, and then what follows */
  rates: z.array(datedRates),
  /** null: every minute is charged */
  free_minutes: z.nullable(freeMinutes),
})

export type AccountRates = z.infer<typeof accountRates>

export const quote = z.object({
  /** for `Quote-Id` */
  id: z.string(),
  /** ISO 8601: until then orders may name it */
  expires: z.string(),
  currency: z.string(),
  /** an order that names it must have the same */
  options: orderOptions,
  /** cents a minute with these options, before the discount */
  per_minute_cents: z.int(),
  discount_percent: z.number(),
  /** one per recording, as they were asked for: each is ordered once */
  lines: z.array(quoteLine),
  /** the sum of the lines */
  total_cents: z.int(),
  /** what is left of them now, which an order need not pay; the lines do not count on them. null: every minute is charged */
  free_minutes: z.nullable(freeMinutes),
})
export type Quote = z.infer<typeof quote>

/**
 * `1:02:30` gives 3750000, `62:30.5` 3750500 milliseconds; null if it is no such text. Minutes before hours and seconds
 * before minutes are below 60.
 */
export function parseDuration(text: string): number | null {
  const [, hours, minutes = '', seconds = ''] =
    /^(?:(\d{1,4}):)?(\d{1,5}):([0-5]\d(?:\.\d{1,3})?)$/.exec(text.trim()) ?? []
  if (seconds === '' || (hours !== undefined && Number(minutes) > 59)) return null
  return Math.round((Number(hours ?? 0) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000)
}
