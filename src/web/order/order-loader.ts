import type { LoaderFunctionArgs } from 'react-router'
import { account } from '../api/account.ts'
import { queryClient, startQueries } from '../api/query-client.ts'
import { requireSession } from '../session/session.ts'
import { inspector } from '../uploads/uploads.ts'

/** Starts the worker that inspects recordings, and asks for rates and defaults. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  startQueries(queryClient.query(account.overview(requireSession(params, request))))
  inspector.prepare()
  return null
}
