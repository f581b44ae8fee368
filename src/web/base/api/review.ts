import { type CheckChange, type NewReviewState, type Review, review } from '../../../contract/account/review.ts'
import { askAccount } from './account-call.ts'
import { accountUrl } from './addresses.ts'
import { readJson, request, type Session } from './client.ts'

const reviewPath = (id: string) => `files/${id}/review`

/** How much of a transcript is checked, and its review state. @throws ApiError 404 if the service stores no reviews */
export async function fetchReview(session: Session, id: string): Promise<Review> {
  return await askAccount(session, reviewPath(id), review)
}

/** Marks words as checked or unchecked. @throws ApiError 409 if the transcript has changed or is approved */
export async function sendChecks(session: Session, id: string, change: CheckChange): Promise<Review> {
  return await askAccount(session, `${reviewPath(id)}/checks`, review, { method: 'POST', body: change })
}

/** Moves a review on from a revision. @throws ApiError 409 on an invalid transition, 412 if it has changed */
export async function sendReviewState(
  session: Session,
  id: string,
  revision: number,
  state: NewReviewState,
): Promise<Review> {
  const response = await request(session, accountUrl(session.environment, reviewPath(id)), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'If-Match': `"${revision}"` },
    body: JSON.stringify(state),
  })
  return await readJson(response, review)
}
