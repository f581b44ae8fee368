import { newQuote, quote } from '../../../contract/account/quotes.ts'
import { parseOptions } from '../../../contract/interface/order-options.ts'
import { resolveOptions } from '../../orders/create/resolve-options.ts'
import { makeQuote } from '../../orders/money/quotes.ts'
import { route } from '../http/account-route.ts'
import { answer } from '../http/operation.ts'

/** `quotes`: what orders will cost, before anything is uploaded (decision 143). */
export const quoteRoutes = [
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
