import * as z from 'zod/mini'

/* Review of a transcript: who has read it, how far, and whether it is approved. Stored with its corrections. */

export const reviewStates = ['draft', 'in_review', 'approved'] as const
export type ReviewState = (typeof reviewStates)[number]

/** Allowed transitions from each state. An approved transcript is locked until somebody makes it a draft again. */
export const statesAfter: Readonly<Record<ReviewState, readonly ReviewState[]>> = {
  draft: ['in_review'],
  in_review: ['approved', 'draft'],
  approved: ['draft'],
}

/** Most ranges per request. */
export const maxRanges = 10_000

const count = z.int().check(z.gte(0))
/** Words by their indexes in the service's text, end exclusive (`word-ranges.ts`). */
const range = z.tuple([count, count])

const reviewStep = z.object({
  /** what the review became */
  state: z.enum(reviewStates),
  /** name of the key */
  key: z.string(),
  /** ISO 8601 */
  time: z.string(),
  /** if approved: the revision of the corrections that the approved text has; 0: none */
  corrections: z.nullable(z.int()),
  /** it refers to an earlier text of the service and does not apply to the current one */
  is_of_earlier_text: z.boolean(),
})
export type ReviewStep = z.infer<typeof reviewStep>

/**
 * Response of `GET files/:id/review`, and of both its changes; its `ETag` is the revision, which every change
 * increments.
 */
export const review = z.object({
  revision: z.int(),
  /** how far the review is */
  state: z.enum(reviewStates),
  /** the checked words: sorted, not overlapping */
  checked: z.array(range),
  /** newest last */
  steps: z.array(reviewStep),
})
export type Review = z.infer<typeof review>

/**
 * Body of `POST files/:id/review`, with `If-Match: "revision"`. `corrections`: for an approval, the revision that was
 * read.
 */
export const newReviewState = z.strictObject({
  /** how far the review is from now on */
  state: z.enum(reviewStates),
  /** approving: the revision of the corrections that was read */
  corrections: z.optional(count),
})
export type NewReviewState = z.infer<typeof newReviewState>

/** Body of `POST files/:id/review/checks`. Words in both lists are checked. */
export const checkChange = z.strictObject({
  /** hash of the words of the service that were checked */
  fingerprint: z.string().check(z.maxLength(40)),
  /** turns that were checked */
  add: z.array(range).check(z.maxLength(maxRanges)),
  /** turns that are no longer checked */
  remove: z.array(range).check(z.maxLength(maxRanges)),
})
export type CheckChange = z.infer<typeof checkChange>
