import { type ClosedAccount, closedAccount } from '../../../contract/account/closing.ts'
import { account } from './account.ts'
import { askAccount, sendToAccount } from './account-call.ts'
import type { Session } from './client.ts'
import { queryClient } from './query-client.ts'

const reread = (session: Session) => queryClient.invalidateQueries({ queryKey: account.all(session) })

/** Closes the account. @param name as it was typed. @throws ApiError 409 if it is another */
export async function closeAccount(session: Session, name: string): Promise<ClosedAccount> {
  const closed = await askAccount(session, 'closing', closedAccount, { method: 'POST', body: { name } })
  await reread(session)
  return closed
}

/** Opens a closed account again. @throws ApiError 409 once its erasure has begun */
export async function reopenAccount(session: Session): Promise<void> {
  await sendToAccount(session, 'closing', { method: 'DELETE' })
  await reread(session)
}
