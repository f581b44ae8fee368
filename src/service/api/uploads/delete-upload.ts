import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../platform/service-error.ts'
import { holdUpload, type Uploads } from './held-upload.ts'
import { requireTusVersion } from './tus-headers.ts'

/**
 * DELETE, extension termination: removes an upload with its bytes. A file created from it stays.
 * @throws ServiceError 404, 409, 412, 503
 */
export function deleteUpload(uploads: Uploads) {
  const { platform, store, orders } = uploads
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { headers, caller, params } = request
    const { id } = params as { id: string }
    requireTusVersion(headers)
    await holdUpload(uploads, caller.account, id, async () => {
      if (orders.isUnderWay(id)) throw new ServiceError(409, 'The upload is being turned into an order.')
      await platform.reserve.use(() => store.remove(id))
    })
    // "The Server SHOULD free associated resources and MUST respond with the 204 No Content status confirming that the
    // upload was terminated."
    return reply.code(204).send()
  }
}
