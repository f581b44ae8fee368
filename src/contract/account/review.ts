import * as z from 'zod/mini'

/* Who has read a transcript over, how far, and whether it is approved: kept beside its corrections. */

export const reviewStates = ['draft', 'in_review', 'approved'] as const
export type ReviewState = (typeof reviewStates)[number]

/** What may follow each state. An approved transcript is locked until somebody makes it a draft again. */
export const statesAfter: Readonly<Record<ReviewState, readonly ReviewState[]>> = {
  draft: ['in_review'],
  in_review: ['approved', 'draft'],
  approved: ['draft'],
}

/** Most ranges in one request. */
export const maxRanges = 10_000

const count = z.int().check(z.gte(0))
/** Words by their numbers in the service's text, from the first to before the second (`word-ranges.ts`). */
const range = z.tuple([count, count])

const reviewStep = z.object({
  state: z.enum(reviewStates),
  /** the name of the key */
  key: z.string(),
  /** ISO 8601 */
  time: z.string(),
  /** approved: the revision of the corrections that the approved text has; 0: it has none */
  corrections: z.nullable(z.int()),
  /** it was of another text than the service has now, to which it says nothing */
  is_of_earlier_text: z.boolean(),
})
export type ReviewStep = z.infer<typeof reviewStep>

/** Answer of `GET files/:id/review`, and of both its changes; its `ETag` is the revision, which every change counts up. */
export const review = z.object({
  revision: z.int(),
  state: z.enum(reviewStates),
  /** the words that somebody has checked: sorted, apart */
  checked: z.array(range),
  /** the newest last */
  steps: z.array(reviewStep),
})
export type Review = z.infer<typeof review>

/** Body of `POST files/:id/review`, with `If-Match: "revision"`. `corrections`: approved, the revision that was read over. */
export const newReviewState = z.strictObject({ state: z.enum(reviewStates), corrections: z.optional(count) })
export type NewReviewState = z.infer<typeof newReviewState>

/** Body of `POST files/:id/review/checks`. Words that are in both lists are checked. */
export const checkChange = z.strictObject({
  /** of the service's text (`text-fingerprint.ts`) */
  fingerprint: z.string().check(z.maxLength(40)),
  add: z.array(range).check(z.maxLength(maxRanges)),
  remove: z.array(range).check(z.maxLength(maxRanges)),
})
export type CheckChange = z.infer<typeof checkChange>
