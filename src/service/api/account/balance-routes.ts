import { balance, balanceSettings, movementPage } from '../../../contract/account/balance.ts'
import { changeBalanceSettings, payOut, readBalance, readMovements } from '../../orders/money/balance.ts'
import { route } from '../http/account-route.ts'
import { pageQuery } from '../http/read-request.ts'

/** `balance`: what orders are paid from, and what fills it (decision 129). */
export const balanceRoutes = [
  route('get /balance', 'What orders are paid from', { 200: balance }, ({ platform, caller }) =>
    readBalance(platform, caller.account),
  ),
  route(
    'patch /balance',
    'Choose what the card pays in at a time, where refunds go, and the budget',
    { body: balanceSettings, 200: balance },
    ({ platform, caller, body }) => changeBalanceSettings(platform, caller.account, body),
  ),
  route(
    'get /balance/movements',
    'What changed the balance, the newest first',
    { query: pageQuery(100, 500, 'number'), 200: movementPage },
    ({ platform, caller, query }) => readMovements(platform.db, caller.account, query.cursor, query.limit),
  ),
  route(
    'post /balance/payout',
    'Pay the balance back to the card',
    { whileClosed: true, 200: balance, 409: 'It has nothing that came from a card.' },
    ({ platform, caller }) => payOut(platform, caller.account),
  ),
]
