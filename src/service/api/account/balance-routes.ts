import { balance, balanceSettings, movementPage, newTopUp, topUpReceipt } from '../../../contract/account/balance.ts'
import { changeBalanceSettings, movementsCsv, payOut, readBalance, readMovements } from '../../orders/money/balance.ts'
import { payIn, readTopUp } from '../../orders/money/pay-in.ts'
import { route } from '../http/account-route.ts'
import { header, providerSilent } from '../http/operation.ts'
import { pageQuery, parseIdempotencyKey } from '../http/read-request.ts'
import { csv, sendCsv } from '../http/send-csv.ts'

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
    'get /balance/movements.csv',
    'What changed the balance as CSV',
    { description: 'The amounts add up to the balance.', 200: csv },
    async ({ platform, caller, reply }) =>
      sendCsv(reply, 'parley-balance.csv', movementsCsv(platform.db, caller.account)),
  ),
  route(
    'post /balance/top-ups',
    'Pay in ahead by the card',
    {
      description:
        'Where the bank asks to confirm, the sum is in the balance once that is done: a retry with the same key pays nothing more.',
      parameters: [header('Idempotency-Key', 'The same key for a retry: the card pays once.')],
      body: newTopUp,
      200: balance,
      402: 'No payment method, the card was declined, or the bank asks the cardholder to confirm (`Payment-Page`).',
      422: 'The idempotency key is that of another sum or of an order.',
      502: providerSilent,
    },
    ({ platform, caller, body, request }) =>
      payIn(platform, caller.account, body.amount_cents, parseIdempotencyKey(request.headers['idempotency-key'])),
  ),
  route(
    'get /balance/top-ups/{id}',
    'What a card paid in, for its receipt',
    { 200: topUpReceipt },
    ({ platform, caller, params }) => readTopUp(platform, caller.account, params.id),
  ),
  route(
    'post /balance/payout',
    'Pay the balance back to the card',
    { whileClosed: true, 200: balance, 409: 'It has nothing that came from a card.' },
    ({ platform, caller }) => payOut(platform, caller.account),
  ),
]
