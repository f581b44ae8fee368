import { Later, laterPart } from '../../base/ui/later.tsx'
import { ListNotices } from './bars/list-notices.tsx'
import { RefundNotice } from './bars/refund-notice.tsx'
import { FoundNotice } from './found/found-notice.tsx'
import type { ListFeature } from './list-feature.ts'

const LeavingNotice = laterPart(async () => (await import('./bars/leaving-notice.tsx')).LeavingNotice)

/** Every feature with something to say above the list, in their order. Actions on files are in `actions.tsx`. */
export const features: readonly ListFeature[] = [
  { name: 'reading', Notice: ListNotices },
  { name: 'refunds', Notice: ({ isPart }) => !isPart && <RefundNotice /> },
  {
    name: 'retention',
    Notice: ({ offers, snapshot, now }) => (
      <Later wanted={offers?.retention === true && snapshot.rows.length > 0}>
        <LeavingNotice rows={snapshot.rows} now={now} />
      </Later>
    ),
  },
  { name: 'search', Notice: ({ search, found }) => search !== '' && <FoundNotice found={found} /> },
]
