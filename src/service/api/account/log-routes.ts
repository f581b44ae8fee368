import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { logActions } from '../../../contract/account/audit-log.ts'
import { type LogFilter, logCsv, logPageOf } from '../../accounts/audit-log/log-pages.ts'
import type { Platform } from '../../platform/platform.ts'
import { queryChoice, queryCursor, queryLimit, queryTime, queryValue } from '../http/read-request.ts'

function readLogFilter(request: FastifyRequest): LogFilter {
  return {
    from: queryTime(request, 'from'),
    to: queryTime(request, 'to'),
    action: queryChoice(request, 'action', logActions),
    search: queryValue(request, 'search'),
  }
}

/** `log` and `log.csv`: the account's audit log: each action, with its key and IP address. */
export async function logRoutes(app: FastifyInstance, { db }: Platform): Promise<void> {
  app.get('log', async (request) => {
    const limit = queryLimit(request, 100, 500)
    return await logPageOf(db, request.caller.account.id, readLogFilter(request), queryCursor(request), limit)
  })
  app.get('log.csv', async (request, reply) => {
    const rows = Readable.from(logCsv(db, request.caller.account.id, readLogFilter(request)))
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="parley-log.csv"')
      .send(rows)
  })
}
