import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ledgerKinds } from '../../../contract/account/usage.ts'
import type { LedgerFilter } from '../../orders/money/ledger-pages.ts'
import { ledgerCsv, ledgerPageOf } from '../../orders/money/ledger-pages.ts'
import { usageOf } from '../../orders/money/usage-of.ts'
import type { Platform } from '../../platform/platform.ts'
import { queryChoice, queryCursor, queryLimit, queryTime, queryValue } from '../http/read-request.ts'

function readLedgerFilter(request: FastifyRequest): LedgerFilter {
  return {
    from: queryTime(request, 'from'),
    to: queryTime(request, 'to'),
    kind: queryChoice(request, 'kind', ledgerKinds),
    search: queryValue(request, 'search'),
  }
}

/** `usage`, `ledger` and `ledger.csv`. */
export async function usageRoutes(app: FastifyInstance, { db, clock }: Platform): Promise<void> {
  app.get('usage', async (request) => {
    const span = { from: queryTime(request, 'from'), to: queryTime(request, 'to') }
    return await usageOf(db, request.caller.account, span, clock())
  })
  app.get('ledger', async (request) => {
    const limit = queryLimit(request, 100, 500)
    return await ledgerPageOf(db, request.caller.account.id, readLedgerFilter(request), queryCursor(request), limit)
  })
  app.get('ledger.csv', async (request, reply) => {
    const rows = Readable.from(ledgerCsv(db, request.caller.account.id, readLedgerFilter(request)))
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="parley-ledger.csv"')
      .send(rows)
  })
}
