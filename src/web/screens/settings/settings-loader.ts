import { type LoaderFunctionArgs, redirect } from 'react-router'
import { account } from '../../base/api/account.ts'
import { balance } from '../../base/api/balance.ts'
import { ApiError, type Session } from '../../base/api/client.ts'
import { keys } from '../../base/api/keys.ts'
import { payment, saveEnteredCard } from '../../base/api/payment.ts'
import { queryClient, startQueries } from '../../base/api/query-client.ts'
import { retentionQuery } from '../../base/api/retention-rules.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { requireSession } from '../../signed-in/session/session.ts'

/** Requests all parts of the page that the service offers; on return from the card page, saves the card first. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<Response | null> {
  const session = requireSession(params, request)
  const { pathname, searchParams } = new URL(request.url)
  const cardSession = searchParams.get('card')
  if (cardSession !== null) {
    await finishCard(session, cardSession)
    return redirect(`${pathname}/money#payment`)
  }
  startQueries(readParts(session))
  return null
}

async function finishCard(session: Session, id: string): Promise<void> {
  try {
    await saveEnteredCard(session, id)
    await queryClient.invalidateQueries({ queryKey: account.all(session) })
    showToast({ tone: 'ok', title: 'Card saved' })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    showToast({ tone: 'bad', title: 'No card was saved', detail: error.message })
  }
}

async function readParts(session: Session): Promise<void> {
  const { features, balance: own } = (await queryClient.query(account.overview(session))) ?? {}
  if (features?.keys) startQueries(queryClient.query(keys.list(session)))
  if (features?.payment) startQueries(queryClient.query(payment.overview(session)))
  if (features?.payment && own !== undefined) startQueries(queryClient.query(balance.current(session)))
  if (features?.retention) startQueries(queryClient.query(retentionQuery(session)))
}
