import type { FastifyInstance } from 'fastify'
import { correctionChange, maxChangeBytes } from '../../../contract/account/corrections.ts'
import {
  type Claim,
  claimHeader,
  type DeskPart,
  givenBack,
  newClaim,
  type QueuePage,
  renewal,
  reopening,
  submission,
} from '../../../contract/work/parts.ts'
import { workSteps } from '../../../contract/work/staff.ts'
import type { Platform } from '../../platform/platform.ts'
import { giveBack, renewHold, requireHeld, takePart } from '../../workbench/claims.ts'
import { openDesk, readPartCorrections, savePart } from '../../workbench/desk.ts'
import { findUnheard } from '../../workbench/heard.ts'
import { readQueue } from '../../workbench/queue.ts'
import { reopenPart, submitPart } from '../../workbench/steps.ts'
import { expectedRevision } from '../account/correction-routes.ts'
import { queryChoice, queryCursor, queryLimit, readBody } from '../http/read-request.ts'
import { claimed, type OfPart } from './claimed-routes.ts'

/** `queue`, `claims`, and `parts/:id/…` for the part's holder. */
export async function partRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db, clock, config } = platform
  await textRoutes(app, platform)
  app.get('queue', async (request): Promise<QueuePage> => {
    const step = queryChoice(request, 'step', workSteps) ?? undefined
    const page = { step, cursor: queryCursor(request), limit: queryLimit(request, 50, 200), pay: config.workPay }
    return await readQueue(db, request.staff, clock(), page)
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

/** Saving a part's text, and completing a step. */
async function textRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db, clock } = platform
  app.get<OfPart>('parts/:id', async (request): Promise<DeskPart> => {
    return await openDesk(platform, request.staff, claimed(request))
  })

  app.get<OfPart>('parts/:id/corrections', async (request, reply) => {
    const kept = await readPartCorrections(db, request.staff, claimed(request), clock())
    const etag = `"${kept.revision}"`
    reply.header('etag', etag)
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : kept
  })

  app.post<OfPart>('parts/:id/corrections', { bodyLimit: maxChangeBytes }, async (request, reply) => {
    const expected = expectedRevision(request, 'the corrections')
    const change = readBody(correctionChange, request)
    const revision = await savePart(db, request.staff, claimed(request), { expected, change }, clock())
    reply.header('etag', `"${revision}"`)
    return { revision }
  })

  app.get<OfPart>('parts/:id/unheard', async (request) => {
    const { heard_json, start_ms, end_ms } = await requireHeld(db, request.staff, ...claimed(request), clock())
    return findUnheard(heard_json, start_ms / 1_000, end_ms / 1_000)
  })

  app.post<OfPart>('parts/:id/submit', async (request, reply) => {
    await submitPart(platform, request.staff, claimed(request), readBody(submission, request))
    return reply.code(204).send()
  })

  app.post<OfPart>('parts/:id/reopen', async (request, reply) => {
    const claim = request.headers[claimHeader.toLowerCase()] === undefined ? null : claimed(request)[1]
    await reopenPart(platform, request.staff, request.params.id, claim, readBody(reopening, request))
    return reply.code(204).send()
  })
}
