import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../../contract/interface/environment.ts'
import { maxFileBytes } from '../../../contract/interface/limits.ts'
import { uploadsBasePath } from '../../../contract/interface/resumable-uploads.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { requireKey } from '../http/require-key.ts'
import { createUpload } from './create-upload.ts'
import { headUpload } from './head-upload.ts'
import { holdUpload, type Uploads } from './held-upload.ts'
import { patchUpload } from './patch-upload.ts'
import { requireTusVersion, tusVersion } from './tus-headers.ts'
import { UploadLeases } from './upload-leases.ts'
import { UploadLocks } from './upload-locks.ts'
import { UploadOrders } from './upload-orders.ts'
import { UploadStore } from './upload-store.ts'

/**
 * OPTIONS: "A successful response … MUST contain the Tus-Version header. It MAY include the Tus-Extension and Tus-Max-Size
 * headers." All extensions that are offered must be named.
 */
function describeUploads(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const extensions = 'creation,creation-with-upload,expiration,termination'
  return reply
    .code(204)
    .headers({ 'tus-version': tusVersion, 'tus-extension': extensions, 'tus-max-size': maxFileBytes })
    .send()
}

/**
 * "The X-HTTP-Method-Override request header MUST be a string which MUST be interpreted as the request's method by the
 * Server": for clients that know no PATCH and no DELETE.
 * @throws ServiceError 405
 */
function overriddenMethod<Handler>(handlers: ReadonlyMap<string, Handler>, { headers }: FastifyRequest): Handler {
  const handler = handlers.get(String(headers['x-http-method-override']))
  if (handler !== undefined) return handler
  const allow = [...handlers.keys()].join(', ')
  throw new ServiceError(405, `POST is not allowed here. Allowed methods: ${allow}.`, { allow })
}

/**
 * Resumable uploads of one environment by tus 1.0.0 (contract: resumable-uploads), as a plugin with the prefix of its
 * base path. One handler per method, each in its own file, quoting the protocol rules that it implements.
 */
export function uploadRoutes(platform: Platform, environment: Environment, limits: RateLimits) {
  const store = new UploadStore(platform)
  const orders = new UploadOrders(platform, store)
  const locks = new UploadLocks(platform.config.postgres === null ? null : new UploadLeases(platform))
  const basePath = uploadsBasePath(environment)
  const uploads: Uploads = { platform, basePath, limits, store, locks, orders }
  const [head, patch, remove] = [headUpload(uploads), patchUpload(uploads), deleteUpload(uploads)]
  const handlers = new Map(Object.entries({ HEAD: head, PATCH: patch, DELETE: remove }))

  return async (app: FastifyInstance): Promise<void> => {
    await store.bytes.open()
    app.decorateRequest('caller')
    app.addHook('onRequest', (_request, reply, done) => {
      // "The Tus-Resumable header MUST be included in every request and response except for OPTIONS requests."
      reply.header('tus-resumable', tusVersion)
      done()
    })
    app.addHook('onRequest', requireKey(platform, environment, limits))
    // Handlers read bodies themselves, after all header checks.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _body, done) => done(null))
    const readsBody = { config: { readsBody: true } }

    app.options('', describeUploads)
    app.post('', readsBody, createUpload(uploads))
    app.head('/:id', head)
    app.patch('/:id', readsBody, patch)
    app.delete('/:id', remove)
    app.post('/:id', readsBody, async (request, reply) => {
      await store.find((request.params as { id: string }).id, request.caller.account)
      return await overriddenMethod(handlers, request)(request, reply)
    })
    app.post('/:id/order', orderUpload(uploads))
  }
}

/**
 * DELETE, extension termination: removes an upload with its bytes. A file created from it stays.
 * @throws ServiceError 404, 409, 412, 503
 */
function deleteUpload(uploads: Uploads) {
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

/**
 * `POST <upload>/order`, a Parley extension: creates the order of a complete upload if the last PATCH could not, or
 * returns the existing order.
 * @throws ServiceError 404, 409, 503 and as `createOrder`
 */
function orderUpload(uploads: Uploads) {
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
