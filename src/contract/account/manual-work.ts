import * as z from 'zod/mini'

/* What people have done so far of a manual order. Times in seconds of the recording. */

/** A stretch that one person types at a time. */
const workSection = z.object({
  start: z.number(),
  end: z.number(),
  /** nobody has begun it, it is worked on for the first time, all of it is typed, or somebody else has reviewed it, too */
  state: z.enum(['waiting', 'typing', 'typed', 'reviewed']),
  /** places that nobody could hear so far: `[blank 12:31]` */
  blanks: z.int(),
  /** when its text was finished last, ISO 8601; null: not yet */
  changed: z.nullable(z.string()),
  /** its text; empty before it is typed. `speaker`: place in `names`, -1 where unknown */
  words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number(), speaker: z.int() })),
})
export type WorkSection = z.infer<typeof workSection>

/**
 * Body of `POST files/:id/re-review`: places of a delivered transcript that people typed are reviewed once more, once and
 * free. Progress stays 100; the new text replaces the old one when it is done, as a newer version of it.
 */
export const reReview = z.strictObject({
  places: z
    .array(
      z.strictObject({
        start: z.number().check(z.gte(0)),
        end: z.number().check(z.gte(0)),
        note: z.string().check(z.maxLength(500)),
      }),
    )
    .check(z.minLength(1), z.maxLength(200)),
})
export type ReReview = z.infer<typeof reReview>

/** Answer of `GET files/:id/re-review`. 404 where people have not typed and checked the file, or not yet. */
export const reReviewState = z.object({
  /** whether it may be asked for, is worked on, or was done */
  state: z.enum(['possible', 'open', 'done']),
  /** how many places are being worked on; 0 where none are */
  places: z.int(),
  /** when its text was delivered, ISO 8601; null: not yet */
  done: z.nullable(z.string()),
})
export type ReReviewState = z.infer<typeof reReviewState>

/** Answer of `GET files/:id/work`. 404 if no people work on the file, or not yet. */
export const fileWork = z.object({
  parts: z.int(),
  typed: z.int(),
  reviewed: z.int(),
  /** the whole was checked */
  is_checked: z.boolean(),
  /** whether places may be reviewed once more, are, or were; null: not before it is ready */
  re_review: z.nullable(z.enum(['possible', 'open', 'done'])),
  blanks: z.int(),
  names: z.array(z.string()),
  sections: z.array(workSection),
})
export type FileWork = z.infer<typeof fileWork>
