import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Claim, claimHeader, givenBack, newClaim, type QueuePage, renewal } from '../../contract/work-parts.ts'
import { workSteps } from '../../contract/work-staff.ts'
import { queryChoice, queryCursor, queryLimit, readBody } from '../http/read-request.ts'
import type { Platform } from '../platform.ts'
import { ServiceError } from '../service-error.ts'
import { giveBack, renewHold, takePart } from './claims.ts'
import { queueOf } from './queue.ts'

type OfPart = { Params: { id: string } }

/** The part of a request and the number of the claim that it is made with. @throws ServiceError 428 */
/** @public */
export function claimed({ params, headers }: FastifyRequest<OfPart>): [partId: string, claim: number] {
  const number = headers[claimHeader.toLowerCase()]
  if (typeof number === 'string' && /^\d{1,9}$/.test(number)) return [params.id, Number(number)]
  throw new ServiceError(428, `Say which claim this is of: ${claimHeader}: number.`)
}

/** `queue`, `claims`, and `parts/:id/…` of whoever holds a part. */
export async function partRoutes(app: FastifyInstance, { db, clock }: Platform): Promise<void> {
  app.get('queue', async (request): Promise<QueuePage> => {
    const step = queryChoice(request, 'step', workSteps) ?? undefined
    const page = { step, cursor: queryCursor(request), limit: queryLimit(request, 50, 200) }
    return await queueOf(db, request.staff, clock(), page)
  })

  app.post('claims', async (request, reply): Promise<Claim> => {
    const claim = await takePart(db, request.staff, readBody(newClaim, request), clock())
    reply.code(201)
    return claim
  })

  app.post<OfPart>('parts/:id/hold', async (request): Promise<Claim> => {
    const { heard } = readBody(renewal, request)
    return await renewHold(db, request.staff, claimed(request), heard, clock())
  })

  app.post<OfPart>('parts/:id/return', async (request, reply) => {
    const { reason } = readBody(givenBack, request)
    await giveBack(db, request.staff, claimed(request), reason, clock())
    return reply.code(204).send()
  })
}
