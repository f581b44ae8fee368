import { logActions, logPage } from '../../../contract/account/audit-log.ts'
import { ledgerKinds, ledgerPage, usage } from '../../../contract/account/usage.ts'
import { logCsv, readLogPage } from '../../accounts/audit-log/log-pages.ts'
import { ledgerCsv, readLedgerPage } from '../../orders/money/ledger-pages.ts'
import { readUsage } from '../../orders/money/read-usage.ts'
import { route } from '../http/account-route.ts'
import { choiceQuery, pageQuery, textQuery, timeQuery } from '../http/read-request.ts'
import { csv, sendCsv } from '../http/send-csv.ts'

const times = { from: timeQuery('ISO 8601, included.'), to: timeQuery('ISO 8601, not included.') }
const ledgerFilter = {
  ...times,
  kind: choiceQuery(ledgerKinds, '`charge` or `refund`.'),
  search: textQuery('In file names and transaction ids.'),
}
const logFilter = {
  ...times,
  action: choiceQuery(logActions, `One of ${logActions.join(', ')}.`),
  search: textQuery('In file names, details, names of keys and addresses.'),
}

/** `usage`, `ledger` and `ledger.csv`. */
export const usageRoutes = [
  route(
    'get /usage',
    'Totals for a period',
    { query: times, 200: usage },
    ({ platform: { db, clock }, caller, query }) => readUsage(db, caller.account, query, clock()),
  ),
  route(
    'get /ledger',
    'Charges and refunds, the newest first',
    { query: { ...ledgerFilter, ...pageQuery(100, 500, 'number') }, 200: ledgerPage },
    ({ platform, caller, query }) => readLedgerPage(platform.db, caller.account.id, query, query.cursor, query.limit),
  ),
  route(
    'get /ledger.csv',
    'Charges and refunds as CSV',
    { query: ledgerFilter, 200: csv },
    async ({ platform, caller, query, reply }) =>
      sendCsv(reply, 'parley-ledger.csv', ledgerCsv(platform.db, caller.account.id, query)),
  ),
]

/** `log` and `log.csv`: the account's audit log: each action, with its key and IP address. */
export const logRoutes = [
  route(
    'get /log',
    'What was done, by which key, from where',
    {
      description: 'The newest first; kept for a year.',
      query: { ...logFilter, ...pageQuery(100, 500, 'number') },
      200: logPage,
    },
    ({ platform, caller, query }) => readLogPage(platform.db, caller.account.id, query, query.cursor, query.limit),
  ),
  route('get /log.csv', 'The log as CSV', { query: logFilter, 200: csv }, async ({ platform, caller, query, reply }) =>
    sendCsv(reply, 'parley-log.csv', logCsv(platform.db, caller.account.id, query)),
  ),
]
