import type { LoaderFunctionArgs } from 'react-router'
import { queryClient, startQueries } from '../../base/api/query-client.ts'
import { usageQueries } from '../../base/api/usage.ts'
import { requireSession } from '../../signed-in/session/session.ts'
import { readFilter } from './span.ts'

/** Requests both parts of the page, the totals and the ledger. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const session = requireSession(params, request)
  const filter = readFilter(new URL(request.url).searchParams, Date.now())
  startQueries(
    queryClient.query(usageQueries.totals(session, filter)),
    queryClient.infiniteQuery(usageQueries.ledger(session, filter)),
  )
  return null
}
