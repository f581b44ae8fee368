import { accountRates, newQuote, quote } from '../../../contract/account/quotes.ts'
import { parseOptions } from '../../../contract/interface/order-options.ts'
import { resolveOptions } from '../../orders/create/resolve-options.ts'
import { readFreeMinutes } from '../../orders/money/free-minutes.ts'
import { getDatedRates } from '../../orders/money/get-rates.ts'
import { makeQuote } from '../../orders/money/quotes.ts'
import { route } from '../http/account-route.ts'
import { answer } from '../http/operation.ts'

/** `quotes`: what orders will cost, before anything is uploaded (decision 143). */
export const quoteRoutes = [
  route(
    'get /rates',
    'What a minute costs, since when, and what it will cost',
    { withinProjects: true, 200: accountRates },
    async ({ platform, caller: { account } }) => {
      const { currency, discount_percent } = account
      const { now, next } = getDatedRates(platform, currency)
      const free_minutes = await readFreeMinutes(platform, account.id)
      return { currency, discount_percent, rates: next === null ? [now] : [now, next], free_minutes }
    },
  ),
  route(
    'post /quotes',
    'Ask what orders will cost',
    {
      description:
        'Valid for 15 minutes: an order that names it in `Quote-Id` is never charged more, also if rates change. Each ' +
        'recording of a quote is ordered once, and may be shorter.',
      withinProjects: true,
      body: newQuote,
      201: answer(quote, 'What each recording costs at most.'),
      422: 'The options are of a manual order, and the service takes none.',
      503: 'There are no prices in the currency of the account at the moment.',
    },
    ({ platform, caller: { account }, body }) => {
      const given = parseOptions(Object.entries(body.options ?? {}).map(([name, value]) => [name, String(value)]))
      return makeQuote(platform, account, resolveOptions(platform, account, given).options, body.files)
    },
  ),
]
