import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../platform/service-error.ts'
import { holdUpload, type Uploads } from './held-upload.ts'

/**
 * `POST <upload>/order`, a Parley extension: creates the order of a complete upload if the last PATCH could not, or
 * returns the existing order.
 * @throws ServiceError 404, 409, 503 and as `createOrder`
 */
export function orderUpload(uploads: Uploads) {
  const { store, orders } = uploads
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { account } = request.caller
    const { id } = request.params as { id: string }
    const { order } = await holdUpload(uploads, account, id, async (upload) => {
      const received = await store.receivedBytes(upload)
      if (received === upload.bytes) return { order: orders.begin(account, id) }
      throw new ServiceError(409, `The upload has ${received} of ${upload.bytes} bytes. Send the rest first.`)
    })
    return reply.code(201).send(await order)
  }
}
