import { keepsCorrections } from '../../base/api/account.ts'
import { ApiError, type Session } from '../../base/api/client.ts'
import { whenIdle } from '../../base/state/when-idle.ts'
import type { Desk } from '../desk/desk.ts'
import type { Corrections } from '../edit/corrections.ts'
import type { ReviewOffer } from '../review/review-offer.ts'

const retryMs = 10_000

/**
 * Synchronizes corrections and the review with the service once they are shown, if it stores any; the code is loaded
 * then. Else they stay on this device. Retries if neither can be determined. Returns a function that stops.
 * @param onReview gets the review once it is loaded, and before that how to open it
 */
export function syncReview(
  session: Session,
  desk: Desk,
  corrections: Corrections,
  onReview: (offer: ReviewOffer) => void,
): () => void {
  const ends: (() => void)[] = []
  let isOver = false
  let retry: number | undefined
  const begin = async () => {
    if (!(await keepsCorrections(session))) return corrections.where.set({ kind: 'device' })
    const { beginSync } = await import('./begin-sync.ts')
    if (!isOver) ends.push(beginSync(session, desk, corrections, onReview))
  }
  const tryToBegin = () => {
    window.clearTimeout(retry)
    // Offline the question is only paused.
    if (!navigator.onLine) void corrections.wait('This device is offline.')
    begin().catch((error: unknown) => {
      if (isOver) return
      // Any other error means that the code could not be loaded.
      const problem = error instanceof ApiError ? error.message : 'The service cannot be reached.'
      void corrections.wait(problem)
      retry = window.setTimeout(tryToBegin, retryMs)
    })
  }
  const stopWaiting = corrections.state.subscribe(() => {
    if (corrections.state.get().saved === 'waiting') return
    stopWaiting()
    whenIdle(tryToBegin)
  })
  return () => {
    isOver = true
    window.clearTimeout(retry)
    stopWaiting()
    for (const end of ends) end()
  }
}
