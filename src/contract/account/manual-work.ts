import * as z from 'zod/mini'
import { sentSeconds } from '../interface/words.ts'

/* Progress of a manual order so far. Times in seconds of the recording. */

/** A stretch that one person types at a time. */
const workSection = z.object({
  start: z.number(),
  end: z.number(),
  /** not begun, first pass in progress, all typed, or also reviewed by somebody else */
  state: z.enum(['waiting', 'typing', 'typed', 'reviewed']),
  /** inaudible places so far: `[blank 12:31]` */
  blanks: z.int(),
  /** when its text was last finished, ISO 8601; null: not yet */
  changed: z.nullable(z.string()),
  /** its text; empty before it is typed. `speaker`: index in `names`, -1 if unknown */
  words: z.array(
    z.object({
      word: z.string(),
      start: z.number(),
      end: z.number(),
      /** index in `names`; -1: unknown */
      speaker: z.int(),
    }),
  ),
})
export type WorkSection = z.infer<typeof workSection>

/**
 * Body of `POST files/:id/re-review`: requests one free review of places in a delivered manual transcript. Progress
 * stays at 100; the new text replaces the old one as a newer version when it is done.
 */
export const reReview = z.strictObject({
  /** the places to listen to again */
  places: z
    .array(
      z.strictObject({
        start: sentSeconds,
        end: sentSeconds,
        note: z.string().check(z.maxLength(500)),
      }),
    )
    .check(z.minLength(1), z.maxLength(200)),
})
export type ReReview = z.infer<typeof reReview>

/** Response of `GET files/:id/re-review`. 404 if staff have not typed and checked the file, or not yet. */
export const reReviewState = z.object({
  /** available, in progress, or done */
  state: z.enum(['possible', 'open', 'done']),
  /** number of places in progress, else 0 */
  places: z.int(),
  /** when its text was delivered, ISO 8601; null: not yet */
  done: z.nullable(z.string()),
})
export type ReReviewState = z.infer<typeof reReviewState>

/** Response of `GET files/:id/work`. 404 if no staff work on the file, or not yet. */
export const fileWork = z.object({
  /** how many parts the order has */
  parts: z.int(),
  /** how many of them are typed */
  typed: z.int(),
  /** how many of them are reviewed */
  reviewed: z.int(),
  /** what is happening now */
  now: z.enum(['waiting', 'typing', 'reviewing', 'checking', 'releasing', 'done']),
  /** the whole file was checked */
  is_checked: z.boolean(),
  /** whether a re-review is available, in progress or done; null: not before the transcript is ready */
  re_review: z.nullable(z.enum(['possible', 'open', 'done'])),
  /** places that nobody could understand */
  blanks: z.int(),
  names: z.array(z.string()),
  /** the parts, with their words so far */
  sections: z.array(workSection),
})
export type FileWork = z.infer<typeof fileWork>
