import type { LoaderFunctionArgs } from 'react-router'
import { queryClient, startQueries } from '../../base/api/query-client.ts'
import { webhooks } from '../../base/api/webhooks.ts'
import { requireSession } from '../../signed-in/session/session.ts'

/** Requests both parts of the page, the endpoint and its deliveries. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const session = requireSession(params, request)
  startQueries(
    queryClient.query(webhooks.endpoint(session)),
    queryClient.infiniteQuery(webhooks.deliveries(session, null)),
  )
  return null
}
