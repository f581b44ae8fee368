import {
  type BalanceSettings,
  balance as balanceSchema,
  movementPage,
  topUpReceipt,
} from '../../../contract/account/balance.ts'
import { accountPages, accountQuery, askAccount, blobOfAccount } from './account-call.ts'
import type { Session } from './client.ts'

const rowsAtOnce = 10

/** Queries of what orders are paid from, and of what changed it. */
export const balance = {
  current: (session: Session) => accountQuery(session, ['balance'], 'balance', balanceSchema),
  topUp: (session: Session, id: string) =>
    accountQuery(session, ['balance', 'top-ups', id], `balance/top-ups/${encodeURIComponent(id)}`, topUpReceipt),
  movements: (session: Session) =>
    accountPages(
      session,
      ['balance', 'movements'],
      (cursor) =>
        `balance/movements?limit=${rowsAtOnce}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      movementPage,
    ),
}

/** All that changed the balance as CSV. @throws ApiError */
export const movementsCsv = (session: Session): Promise<Blob> => blobOfAccount(session, 'balance/movements.csv')

/** Changes what the card pays in at a time, or where refunds go. */
export async function changeBalance(session: Session, settings: BalanceSettings): Promise<void> {
  await askAccount(session, 'balance', balanceSchema, { method: 'PATCH', body: settings })
}

/**
 * Has the card pay in ahead. @param key the same for a retry: the card pays once
 * @throws ApiError 402, with `Payment-Page` if the bank asks
 */
export async function payIn(session: Session, amount_cents: number, key: string): Promise<void> {
  await askAccount(session, 'balance/top-ups', balanceSchema, { method: 'POST', body: { amount_cents }, key })
}

/** Pays the balance back to the card. @throws ApiError 409 if nothing of it came from one */
export async function payOutBalance(session: Session): Promise<void> {
  await askAccount(session, 'balance/payout', balanceSchema, { method: 'POST' })
}
