import * as z from 'zod/mini'
import { stepFigures } from './parts.ts'
import { staffRoles, workSteps } from './staff.ts'

/* Interface for managers only. */

/**
 * How a claim ended. `sent-back`: its reviewer or checker has the part typed once more. `expired` also if it was held
 * for too long; `deleted`: the customer deleted the file.
 */
const claimEnds = ['submitted', 'sent-back', 'returned', 'expired', 'taken', 'deleted'] as const
export type ClaimEnd = (typeof claimEnds)[number]

/** A manager's verdict on an odd step, which is neither paid nor released before. */
const verdicts = ['waiting', 'accepted', 'refused'] as const
export type Verdict = (typeof verdicts)[number]

/** One claim, an entry of the books. It outlives its file. */
const workRecord = z.object({
  claim: z.int(),
  step: z.enum(workSteps),
  staff: z.string(),
  staff_name: z.string(),
  from: z.string(),
  /** null: held now */
  to: z.nullable(z.string()),
  end: z.nullable(z.enum(claimEnds)),
  /** reason for giving it back; else null */
  reason: z.nullable(z.string()),
  ...stepFigures,
  /** null: none is needed */
  verdict: z.nullable(z.enum(verdicts)),
  /** the manager who decided had done the step: there was no other */
  is_own_verdict: z.boolean(),
  /** null: no rate is set, or there is nothing to pay */
  pay: z.nullable(z.string()),
})
export type WorkRecord = z.infer<typeof workRecord>

const managedPart = z.object({
  id: z.string(),
  /** 0: the check of the whole file */
  position: z.int(),
  start: z.number(),
  end: z.number(),
  /** the next step; null: nothing left to do */
  step: z.nullable(z.enum(workSteps)),
  /** current holder and end of the hold */
  holder: z.nullable(z.string()),
  held_until: z.nullable(z.string()),
  assigned_to: z.nullable(z.string()),
  blanks: z.int(),
  /** words that the customer corrected after delivery */
  changed_by_customer: z.int(),
  history: z.array(workRecord),
})
export type ManagedPart = z.infer<typeof managedPart>

const managedFile = z.object({
  id: z.string(),
  name: z.string(),
  account: z.string(),
  seconds: z.number(),
  progress_percent: z.number(),
  /** when it was ordered, and when it is due */
  created: z.string(),
  due: z.string(),
  /** forecast from the remaining work and the recent speed; null: unknown yet */
  forecast: z.nullable(z.string()),
  /** delivered, and under re-review at the customer's request: due one business day after that */
  is_re_review: z.boolean(),
  /** it has no parts yet: it is recognized first, or waits for staff */
  is_heard_first: z.boolean(),
  /** it is late, or will be within four hours if nothing happens */
  is_late: z.boolean(),
  delay_reason: z.nullable(z.string()),
  /** number of parts, and how many of them are typed, reviewed, held */
  parts: z.int(),
  typed: z.int(),
  reviewed: z.int(),
  held: z.int(),
  /** the whole file was checked: it may be released */
  is_checked: z.boolean(),
  /** odd steps that wait for a manager */
  to_decide: z.int(),
})
export type ManagedFile = z.infer<typeof managedFile>

/** Response of `GET files`: manual orders in progress, earliest due date first. */
export const managedFiles = z.object({
  files: z.array(managedFile),
  /** waiting parts by step, and since when the oldest waits */
  waiting: z.array(z.object({ step: z.enum(workSteps), parts: z.int(), seconds: z.number(), oldest: z.string() })),
})
export type ManagedFiles = z.infer<typeof managedFiles>

/** Response of `GET files/:id`. */
export const managedFileParts = z.object({ parts: z.array(managedPart) })

/** Response of `GET parts/:id/text`: the words of a part as they stand now, without taking it. */
export const managedText = z.object({
  /** what one speaker says, one after the other */
  turns: z.array(
    z.object({
      /** seconds of the recording */
      start: z.number(),
      /** null: unknown */
      speaker: z.nullable(z.string()),
      text: z.string(),
    }),
  ),
})
export type ManagedText = z.infer<typeof managedText>

/**
 * Body of `POST parts/:id/assign`: reserves the part for one member of staff and ends any current hold. null: anybody
 * may take it.
 */
export const assignment = z.strictObject({ staff: z.nullable(z.string()) })

/**
 * Body of `POST files/:id/delay`. `reason`: a name of `parley delay`; `until` is ISO 8601, null: derived from the
 * remaining work.
 */
export const workDelay = z.strictObject({ reason: z.string(), until: z.optional(z.nullable(z.iso.datetime())) })

/**
 * Body of `POST files/:id/refund`: the recording is unintelligible. All work on it ends; everything paid is refunded.
 */
export const workRefund = z.strictObject({ reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)) })

/**
 * Body of `POST parts/:id/claims/:claim/decide`: refused, it is not paid, and its step is done once more. 409: decided
 * already, or it is the caller's own step and there is another manager.
 */
export const decision = z.strictObject({ accepted: z.boolean() })

const payRow = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(staffRoles),
  hours: z.number(),
  /** steps submitted or sent back, odd ones once accepted, and the minutes of their sound */
  typed: z.int(),
  reviewed: z.int(),
  checked: z.int(),
  minutes: z.number(),
  /** of these, sent back to be typed once more */
  sent_back: z.int(),
  /** not paid: refused by a manager */
  refused: z.int(),
  /** cents; null: no rate is set */
  earned: z.nullable(z.int()),
  /** cents of what waits for a manager */
  waiting: z.nullable(z.int()),
})
export type PayRow = z.infer<typeof payRow>

/** Response of `GET pay?month=2026-11`: what the staff did and earned in a month (UTC). */
export const payMonth = z.object({ month: z.string(), currency: z.nullable(z.string()), people: z.array(payRow) })
export type PayMonth = z.infer<typeof payMonth>

/** A member of staff. Shares are of submitted words, 0 to 1; null: none yet. */
const staffMember = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(staffRoles),
  /** their key is: they are listed for what they did, and take nothing */
  is_revoked: z.boolean(),
  holds: z.int(),
  /** in the last 30 days: hours held, parts submitted, given back or expired */
  hours: z.number(),
  submitted: z.int(),
  /** pay for these; null: no rate is set */
  earned: z.nullable(z.string()),
  given_back: z.int(),
  /** reviews and checks that ended with a part sent back */
  sent_back: z.int(),
  /** share of their typing that reviewers changed who heard it */
  changed_by_review: z.nullable(z.number()),
  /** share of their typing and reviewing that customers changed after delivery */
  changed_by_customer: z.nullable(z.number()),
})
export type StaffMember = z.infer<typeof staffMember>
/** Response of `GET staff`: members whose key is valid, and others who did something in the last 30 days. */
export const staffList = z.object({ staff: z.array(staffMember) })
