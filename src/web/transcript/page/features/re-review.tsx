import { useQuery } from '@tanstack/react-query'
import { account } from '../../../base/api/account.ts'
import { Later, laterPart } from '../../../base/ui/later.tsx'
import { type Feature, type OpenPage, panelDialog } from '../feature.ts'

const ReReviewBar = laterPart(async () => (await import('../../review/re-review/re-review-parts.tsx')).ReReviewBar)
const ReReviewSection = laterPart(
  async () => (await import('../../review/re-review/re-review-parts.tsx')).ReReviewSection,
)

/** Lets the customer request a re-review of places in a typed text. */
export const reReview: Feature = { name: 're-review', Edit: Panel, Bar }

/** True for texts typed by people, who can re-review places. */
function useIsTyped({ session, record, ready }: OpenPage): boolean {
  const hasStaff = useQuery(account.overview(session)).data?.features.manual_typing === 'staff'
  return hasStaff && ready && record.metadata.options.transcript_type === 'manual'
}

function Panel(page: OpenPage) {
  return (
    <Later wanted={useIsTyped(page)}>
      <ReReviewSection {...page} onMark={() => panelDialog(page).set(false)} />
    </Later>
  )
}

function Bar(page: OpenPage) {
  return (
    <Later wanted={useIsTyped(page)}>
      <ReReviewBar {...page} />
    </Later>
  )
}
