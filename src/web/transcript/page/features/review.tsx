import { useEffect } from 'react'
import { useRight } from '../../../base/api/use-right.ts'
import { Signal, useSignal } from '../../../base/state/signal.ts'
import { Later, laterPart } from '../../../base/ui/later.tsx'
import type { ReviewOffer } from '../../review/review-offer.ts'
import { syncReview } from '../../sync/sync-review.ts'
import { type Feature, type OpenPage, oncePerPage, panelDialog } from '../feature.ts'

const ReviewBar = laterPart(async () => (await import('../../review/review-parts.tsx')).ReviewBar)
const ReviewSection = laterPart(async () => (await import('../../review/review-parts.tsx')).ReviewSection)

/** The review; null until the service has responded, or if it does not store reviews. */
const offered = oncePerPage(() => new Signal<ReviewOffer | null>(null))

/** Turns are checked one by one, and the whole is approved. Its background part also synchronizes corrections. */
export const review: Feature = { name: 'review', Edit: Panel, Bar, Background }

function Panel(page: OpenPage) {
  const offer = useSignal(offered(page))
  const mayReview = useRight(page.session, 'correct')
  return (
    <Later wanted={offer !== null && mayReview}>
      {offer && <ReviewSection desk={page.desk} offer={offer} onCheck={() => panelDialog(page).set(false)} />}
    </Later>
  )
}

function Bar(page: OpenPage) {
  const offer = useSignal(offered(page))
  return <Later wanted={offer?.review != null}>{offer?.review && <ReviewBar {...page} review={offer.review} />}</Later>
}

function Background({ desk, corrections, session }: OpenPage) {
  useEffect(() => syncReview(session, desk, corrections, offered({ desk }).set), [session, desk, corrections])
  return null
}
