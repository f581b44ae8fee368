import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { account } from '../../base/api/account.ts'
import { webhooks } from '../../base/api/webhooks.ts'
import { NotOffered } from '../../base/ui/not-offered.tsx'
import { PageHeader, pageClass } from '../../base/ui/page-header.tsx'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { UnreadNotice } from '../../base/ui/unread-notice.tsx'
import { useSession } from '../../signed-in/session/session.ts'
import { DeliveryPanel } from './delivery-panel.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { EndpointCard } from './endpoint-card.tsx'
import { VerifySignature } from './verify-signature.tsx'

/** Webhooks (`/:environment/webhooks`): the endpoint, and the deliveries to it. */
export function Component() {
  const { data: overview } = useQuery(account.overview(useSession()))
  const isOffered = overview === undefined || overview?.features.webhooks
  return isOffered ? <Webhooks /> : <NotOffered title="Webhooks" />
}

function Webhooks() {
  const session = useSession()
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useQuery(webhooks.endpoint(session))
  const chosen = search.get('delivery')
  const choose = (id: string | null) => setSearch(id === null ? {} : { delivery: id }, { replace: true })
  return (
    <div className={pageClass}>
      <PageHeader title="Webhooks" subtitle="A POST with the file’s id whenever its progress changes" />
      {error && <UnreadNotice what="The webhook" error={error} onAgain={() => void refetch()} />}
      {data ? <EndpointCard webhook={data.webhook} /> : !error && <Skeleton className="h-24 rounded-lg" />}
      <div className={`grid items-start gap-4.5 max-xl:grid-cols-1 ${chosen ? 'grid-cols-[minmax(0,1fr)_25rem]' : ''}`}>
        <DeliveryTable chosen={chosen} onChoose={choose} />
        {chosen && <DeliveryPanel key={chosen} id={chosen} onClose={() => choose(null)} />}
      </div>
      <VerifySignature />
    </div>
  )
}
