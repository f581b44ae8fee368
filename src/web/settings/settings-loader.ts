import type { LoaderFunctionArgs } from 'react-router'
import { account } from '../api/account.ts'
import type { Session } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import { payment } from '../api/payment.ts'
import { queryClient, startQueries } from '../api/query-client.ts'
import { requireSession } from '../session/session.ts'

/** Asks for all parts of the page that the service offers. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  startQueries(readParts(requireSession(params, request)))
  return null
}

async function readParts(session: Session): Promise<void> {
  const { features } = (await queryClient.query(account.overview(session))) ?? {}
  if (features?.keys) startQueries(queryClient.query(keys.list(session)))
  if (features?.payment) startQueries(queryClient.query(payment.overview(session)))
}
