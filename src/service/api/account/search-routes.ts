import type { FastifyInstance } from 'fastify'
import { maxQueryLength } from '../../../contract/account/search.ts'
import { ServiceError } from '../../platform/service-error.ts'
import type { Search } from '../../text/search/search.ts'
import { queryLimit, queryNumber, queryValue } from '../http/read-request.ts'

/** `search`: full-text search over words, speakers and file names of the account. */
export async function searchRoutes(app: FastifyInstance, search: Search): Promise<void> {
  app.get('search', async (request) => {
    const text = queryValue(request, 'q')
    if (text === null) throw new ServiceError(400, 'Say what to search for: q.')
    if (text.length > maxQueryLength) {
      throw new ServiceError(400, `A search can have at most ${maxQueryLength} characters.`)
    }
    const below = queryNumber(request, 'cursor')
    return await search.find(request.caller.account.id, text, below, queryLimit(request, 20, 50))
  })
}
