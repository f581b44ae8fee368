import { queryOptions } from '@tanstack/react-query'
import { type ReReview, type ReReviewState, reReviewState } from '../../../contract/account/manual-work.ts'
import { account } from './account.ts'
import { askAccount, sendToAccount } from './account-call.ts'
import { ApiError, type Session } from './client.ts'
import { queryClient } from './query-client.ts'

const reReviewPath = (id: string) => `files/${encodeURIComponent(id)}/re-review`
const reReviewKey = (session: Session, id: string) => [...account.all(session), 're-review', id] as const

/** Null if the file was not typed by people. */
async function fetchState(session: Session, id: string, signal: AbortSignal): Promise<ReReviewState | null> {
  try {
    return await askAccount(session, reReviewPath(id), reReviewState, { signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/**
 * Whether a typed transcript may be, is being, or was reviewed again. @param readyAt of its text: a new one refetches
 */
export function reReviewQuery(session: Session, id: string, readyAt: number) {
  return queryOptions({
    queryKey: [...reReviewKey(session, id), readyAt] as const,
    queryFn: ({ signal }) => fetchState(session, id, signal),
    staleTime: 30_000,
  })
}

/** Requests another review of places. @throws ApiError 409 if already requested, 410 if the recording is gone */
export async function askForReReview(session: Session, id: string, body: ReReview): Promise<void> {
  try {
    await sendToAccount(session, reReviewPath(id), { method: 'POST', body })
  } finally {
    // Even if refused: somebody else may have requested it.
    await queryClient.invalidateQueries({ queryKey: reReviewKey(session, id) })
  }
}
