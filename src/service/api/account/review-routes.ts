import type { FastifyInstance } from 'fastify'
import { checkChange, newReviewState, type Review } from '../../../contract/account/review.ts'
import type { Platform } from '../../platform/platform.ts'
import { changeChecks, changeReviewState, reviewOf } from '../../text/corrections/review.ts'
import { readBody } from '../http/read-request.ts'
import { expectedRevision, fileOf, type OfFile } from './correction-routes.ts'

const etagOf = ({ revision }: Review) => `"${revision}"`

/** `files/:id/review`: which turns of a transcript are checked, and whether it is approved. */
export async function reviewRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  app.get<OfFile>('files/:id/review', async (request, reply) => {
    const review = await reviewOf(platform, await fileOf(platform, request))
    return reply.header('etag', etagOf(review)).send(review)
  })

  app.post<OfFile>('files/:id/review', async (request, reply) => {
    const file = await fileOf(platform, request)
    const wanted = readBody(newReviewState, request)
    const expected = expectedRevision(request, 'the review')
    const review = await changeReviewState(platform, request.caller, file, expected, wanted)
    return reply.header('etag', etagOf(review)).send(review)
  })

  app.post<OfFile>('files/:id/review/checks', async (request, reply) => {
    const file = await fileOf(platform, request)
    const review = await changeChecks(platform, request.caller, file, readBody(checkChange, request))
    return reply.header('etag', etagOf(review)).send(review)
  })
}
