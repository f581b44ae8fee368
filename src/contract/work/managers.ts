import * as z from 'zod/mini'
import { staffRoles, workSteps } from './staff.ts'

/* What managers alone see and do. */

/** How a claim ended. `expired` also where it was held for too long; `deleted`: the file was deleted by its customer. */
const claimEnds = ['submitted', 'returned', 'expired', 'taken', 'deleted'] as const
export type ClaimEnd = (typeof claimEnds)[number]

/** One claim: the books. It stays when its file is deleted. */
const workRecord = z.object({
  claim: z.int(),
  step: z.enum(workSteps),
  staff: z.string(),
  staff_name: z.string(),
  from: z.string(),
  /** null: it is held now */
  to: z.nullable(z.string()),
  end: z.nullable(z.enum(claimEnds)),
  /** given back: why; else null */
  reason: z.nullable(z.string()),
  /** words of the text afterwards, and how many of them are others than before; null if it was not submitted */
  words: z.nullable(z.int()),
  changed_words: z.nullable(z.int()),
})
export type WorkRecord = z.infer<typeof workRecord>

const managedPart = z.object({
  id: z.string(),
  /** 0: the check of the whole file */
  position: z.int(),
  start: z.number(),
  end: z.number(),
  /** what is to be done next; null: nothing */
  step: z.nullable(z.enum(workSteps)),
  /** who holds it, and until when */
  holder: z.nullable(z.string()),
  held_until: z.nullable(z.string()),
  assigned_to: z.nullable(z.string()),
  blanks: z.int(),
  /** words that the customer corrected after delivery */
  changed_by_customer: z.int(),
  history: z.array(workRecord),
})
export type ManagedPart = z.infer<typeof managedPart>

/** A manual order that is being worked on. */
const managedFile = z.object({
  id: z.string(),
  name: z.string(),
  account: z.string(),
  seconds: z.number(),
  progress_percent: z.number(),
  /** when it was ordered, and when it is due */
  created: z.string(),
  due: z.string(),
  /** when it will be ready by what is left and how fast work went of late; null: nobody can tell yet */
  forecast: z.nullable(z.string()),
  /** it is delivered, and reviewed once more as its customer asked: due a business day after that */
  is_re_review: z.boolean(),
  /** it is late, or will be within four hours if nothing happens */
  is_late: z.boolean(),
  delay_reason: z.nullable(z.string()),
  /** how many parts there are, and how many of them are typed, reviewed, held */
  parts: z.int(),
  typed: z.int(),
  reviewed: z.int(),
  held: z.int(),
  /** the whole was checked: it may be released */
  is_checked: z.boolean(),
})
export type ManagedFile = z.infer<typeof managedFile>

/** Answer of `GET files`: manual orders that are worked on, what is due first before others. */
export const managedFiles = z.object({
  files: z.array(managedFile),
  /** parts that wait, by step, and since when the oldest does */
  waiting: z.array(z.object({ step: z.enum(workSteps), parts: z.int(), seconds: z.number(), oldest: z.string() })),
})
export type ManagedFiles = z.infer<typeof managedFiles>

/** Answer of `GET files/:id`. */
export const managedFileParts = z.object({ parts: z.array(managedPart) })

/** Body of `POST parts/:id/assign`: only they may take it, whoever holds it loses it. null: anybody may. */
export const assignment = z.strictObject({ staff: z.nullable(z.string()) })

/** Body of `POST files/:id/delay`. `reason`: a name of `parley delay`; `until` is ISO 8601, null: by what is left to do. */
export const workDelay = z.strictObject({ reason: z.string(), until: z.optional(z.nullable(z.iso.datetime())) })

/** Body of `POST files/:id/refund`: nobody can understand it. All work on it ends; everything paid is refunded. */
export const workRefund = z.strictObject({ reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)) })

/** One of the staff. Shares are of submitted words, 0 to 1; null: none yet. */
const staffMember = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(staffRoles),
  holds: z.int(),
  /** in the last 30 days: hours held, parts submitted, given back or expired */
  hours: z.number(),
  submitted: z.int(),
  /** what is paid for these; null: nothing is set */
  earned: z.nullable(z.string()),
  given_back: z.int(),
  /** how much of what they typed did reviewers change */
  changed_by_review: z.nullable(z.number()),
  /** how much of what they typed or reviewed did customers change after delivery */
  changed_by_customer: z.nullable(z.number()),
})
export type StaffMember = z.infer<typeof staffMember>
/** Answer of `GET staff`: those whose key is not revoked. */
export const staffList = z.object({ staff: z.array(staffMember) })
