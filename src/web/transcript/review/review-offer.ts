import type { Review } from './review.ts'

/** The review of a transcript, which is opened if the service has one, by `open`, or when C is pressed. */
export type ReviewOffer = {
  review: Review | null
  /** nothing has been checked yet; false also if the service could not be asked */
  isNew: boolean
  /** rejects if its code cannot be loaded, after a message */
  open: () => Promise<Review>
}

/** Opens the review and waits for its state. @throws if its code cannot be loaded */
export async function openReview(offer: ReviewOffer): Promise<Review> {
  const review = await offer.open()
  await review.known
  return review
}
