import { type BalanceSettings, balance as balanceSchema, movementPage } from '../../../contract/account/balance.ts'
import { accountPages, accountQuery, askAccount } from './account-call.ts'
import type { Session } from './client.ts'

const rowsAtOnce = 10

/** Queries of what orders are paid from, and of what changed it. */
export const balance = {
  current: (session: Session) => accountQuery(session, ['balance'], 'balance', balanceSchema),
  movements: (session: Session) =>
    accountPages(
      session,
      ['balance', 'movements'],
      (cursor) =>
        `balance/movements?limit=${rowsAtOnce}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      movementPage,
    ),
}

/** Changes what the card pays in at a time, or where refunds go. */
export async function changeBalance(session: Session, settings: BalanceSettings): Promise<void> {
  await askAccount(session, 'balance', balanceSchema, { method: 'PATCH', body: settings })
}

/** Pays the balance back to the card. @throws ApiError 409 if nothing of it came from one */
export async function payOutBalance(session: Session): Promise<void> {
  await askAccount(session, 'balance/payout', balanceSchema, { method: 'POST' })
}
