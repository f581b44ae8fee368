import type { FastifyInstance } from 'fastify'
import { placeOfFile, placeOfNew } from '../../orders/create/queue-depth.ts'
import { ownFile } from '../../orders/file/own-file.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { queryNumber } from '../http/read-request.ts'

/** `queue` and `files/:id/queue`: how long recognition takes, and how many orders are ahead. */
export async function queueRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  app.get('queue', async (request) => {
    const seconds = queryNumber(request, 'seconds')
    if (seconds === null) throw new ServiceError(400, 'Say how long the recording is: seconds.')
    return { place: await placeOfNew(platform, request.caller.account.id, seconds * 1_000) }
  })
  app.get<{ Params: { id: string } }>('files/:id/queue', async ({ caller, params }) => {
    const { id } = await ownFile(platform, caller.account.id, params.id)
    return { place: await placeOfFile(platform, id) }
  })
}
