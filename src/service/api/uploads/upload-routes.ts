import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Environment } from '../../../contract/interface/environment.ts'
import { maxFileBytes } from '../../../contract/interface/limits.ts'
import { fileId } from '../../../contract/interface/metadata.ts'
import { uploadedFileHeader, uploadsBasePath } from '../../../contract/interface/resumable-uploads.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { type Answer, answer, header, nothing, providerSilent, text, withRights } from '../http/operation.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { requireKey } from '../http/require-key.ts'
import { addRoutes, notAllowed, routeFor } from '../http/route.ts'
import { readOrderQuote, readRefusal, warnOfOrder } from '../v1/files.ts'
import {
  knownAlready,
  knownRecording,
  orderLimit,
  orderQuote,
  overLimit,
  overTopUp,
  parseCents,
  parseMaxTotal,
  topUpLimit,
  warned,
} from '../v1/order-limit.ts'
import { metadataNames, type UploadRequest } from './check-upload.ts'
import { createUpload } from './create-upload.ts'
import { headUpload } from './head-upload.ts'
import { holdUpload, type UploadContext, type UploadGiven, type Uploads } from './held-upload.ts'
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
async function describeUploads({ reply }: UploadContext): Promise<void> {
  const extensions = 'creation,creation-with-upload,expiration,termination'
  reply.headers({ 'tus-version': tusVersion, 'tus-extension': extensions, 'tus-max-size': maxFileBytes })
}

/**
 * "The X-HTTP-Method-Override request header MUST be a string which MUST be interpreted as the request's method by the
 * Server": for clients that know no PATCH and no DELETE.
 * @throws ServiceError 405
 */
async function overrideMethod(context: UploadContext<{ id: string }>): Promise<FastifyReply> {
  const { uploads, caller, params, request, reply } = context
  await uploads.store.find(params.id, caller)
  const method = String(request.headers['x-http-method-override'])
  if (method === 'HEAD') return await headUpload(context)
  reply.code(204)
  if (method === 'PATCH') await patchUpload(context)
  else if (method === 'DELETE') await deleteUpload(context)
  else throw notAllowed('POST', 'HEAD, PATCH, DELETE')
  return reply.send()
}

const number = { type: 'integer' }
const version = header('Tus-Resumable', '1.0.0', true)
const spokenVersion = { 'Tus-Version': { description: '1.0.0', schema: text } }
const location = { Location: { description: 'The address of the upload.', schema: text } }
const offset = { 'Upload-Offset': { description: 'Bytes received.', schema: number } }
const expires = {
  'Upload-Expires': { description: 'When an unfinished upload expires. Each byte received extends it.', schema: text },
}
const bytes = { 'application/offset+octet-stream': { type: 'string', format: 'binary' } }
const ordered = {
  [uploadedFileHeader]: { description: 'The id of the file, once the upload has become an order.', schema: text },
  ...warned,
}
const refused = {
  400: { ...overLimit, description: `An option, the length or the recording is wrong. ${overLimit.description}` },
  402: 'No payment method, the card was declined, or the bank asks to confirm (`Payment-Page`). The uploaded bytes are kept for `POST …/order`.',
  404: 'The project, preset or quote is none of this account.',
  409: {
    description:
      'The order would exceed a budget or `max_top_up_cents`, its quote is for another one, used or expired, or its recording is known and to be refused. The uploaded bytes are kept.',
    headers: { ...overTopUp, ...knownAlready },
  },
  413: 'Over 10 GB.',
  415: 'The type is not supported.',
  422: 'The idempotency key is that of another order.',
  502: providerSilent,
  507: 'The service is out of storage space for a file of this size.',
}
const otherVersion: Answer = { description: '`Tus-Resumable` is not 1.0.0.', headers: spokenVersion }
const busy = 'Another request is still writing to the upload. Retry after `Retry-After`.'
const ofUpload = { 412: otherVersion, 503: busy }

const http = { config: { readsBody: true } }

const route = routeFor((given: UploadGiven) => given, { withinProjects: true })

/** tus 1.0: https://tus.io/protocols/resumable-upload. The handlers quote the rules that they implement. */
const uploadRows = withRights(
  [
    route(
      'options /',
      'Get the supported version, extensions and size',
      {
        204: {
          description: 'What is supported.',
          headers: {
            ...spokenVersion,
            'Tus-Extension': { description: 'Names, separated by commas.', schema: text },
            'Tus-Max-Size': { description: 'Bytes of the largest upload.', schema: number },
          },
        },
      },
      describeUploads,
    ),
    route(
      'post /',
      'Start a resumable upload',
      {
        description:
          'tus 1.0 with creation, creation-with-upload, expiration and termination. `Upload-Metadata` has, all optional, ' +
          `${metadataNames.map((name) => `\`${name}\``).join(', ')}; any other name is 400. ` +
          '`options` are a query string as for POST files. A complete upload becomes an order. The first bytes can be sent with it, as `application/offset+octet-stream`.',
        parameters: [
          version,
          header('Upload-Length', 'Bytes of the file.', true, number),
          header('Upload-Metadata', 'Pairs, in base64.'),
        ],
        body: { required: false, content: bytes },
        201: { description: 'Started.', headers: { ...location, ...offset, ...expires, ...ordered } },
        ...refused,
        412: otherVersion,
        http,
      },
      createUpload,
    ),
    route(
      'head /{id}',
      'How many bytes of an upload have been received',
      { parameters: [version], 200: { description: 'Its state.', headers: { ...offset, ...ordered } }, ...ofUpload },
      headUpload,
    ),
    route(
      'patch /{id}',
      'Send bytes from an offset; the last ones create the order',
      {
        parameters: [version, header('Upload-Offset', 'Where they start.', true, number)],
        body: { required: true, content: bytes },
        204: { description: 'Appended.', headers: { ...offset, ...expires, ...ordered } },
        ...refused,
        ...ofUpload,
        409: 'The offset is not the end of what has been received.',
        http,
      },
      patchUpload,
    ),
    route(
      'delete /{id}',
      'Cancel an upload',
      { parameters: [version], 204: nothing, ...ofUpload, 409: 'It is being turned into an order.' },
      deleteUpload,
    ),
    route(
      'post /{id}',
      'HEAD, PATCH or DELETE, for clients that cannot send them',
      {
        parameters: [
          version,
          header('X-HTTP-Method-Override', 'The intended method; everything else is as for that method.', true, {
            type: 'string',
            enum: ['HEAD', 'PATCH', 'DELETE'],
          }),
        ],
        200: 'As for the intended method.',
        204: nothing,
        405: 'No method, or one that an upload does not have.',
        http,
      },
      overrideMethod,
    ),
    route(
      'post /{id}/order',
      'Create the order of a complete upload, if the last PATCH could not or its response was lost',
      {
        parameters: [orderLimit, topUpLimit, orderQuote, knownRecording],
        201: { ...answer(fileId, 'The file.'), headers: warned },
        ...refused,
        409: {
          description: 'The upload is not complete, or as for its creation.',
          headers: { ...overTopUp, ...knownAlready },
        },
        503: busy,
      },
      orderUpload,
    ),
  ],
  'order',
  'order',
)
export const uploadResources = { 'Resumable uploads': uploadRows }

/** Resumable uploads of one environment by tus 1.0.0, as a plugin with the prefix of its base path. */
export function uploadRoutes(platform: Platform, environment: Environment, limits: RateLimits) {
  const store = new UploadStore(platform)
  const orders = new UploadOrders(platform, store)
  const locks = new UploadLocks(platform.config.postgres === null ? null : new UploadLeases(platform))
  const basePath = uploadsBasePath(environment)
  const uploads: Uploads = { platform, basePath, limits, store, locks, orders }

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
    addRoutes(app, uploadRows, ({ caller }) => ({ uploads, caller }))
  }
}

/**
 * DELETE, extension termination: removes an upload with its bytes. A file created from it stays.
 * @throws ServiceError 404, 409, 412, 503
 */
async function deleteUpload({ uploads, caller, params, request }: UploadContext<{ id: string }>): Promise<void> {
  const { platform, store, orders } = uploads
  const { id } = params
  requireTusVersion(request.headers)
  // "The Server SHOULD free associated resources and MUST respond with the 204 No Content status confirming that the
  // upload was terminated."
  await holdUpload(uploads, caller, id, async () => {
    if (orders.isUnderWay(id)) throw new ServiceError(409, 'The upload is being turned into an order.')
    await platform.reserve.use(() => store.remove(id))
  })
}

/**
 * `POST <upload>/order`, a Parley extension: creates the order of a complete upload if the last PATCH could not, or
 * returns the existing order.
 * @throws ServiceError 404, 409, 503 and as `createOrder`
 */
async function orderUpload({
  uploads,
  caller,
  params: { id },
  request,
  reply,
}: UploadContext<{ id: string }>): Promise<{ id: string }> {
  const { store, orders, platform } = uploads
  const quote = readOrderQuote(request.headers['quote-id'], platform.clock())
  const maxTotalCents = parseMaxTotal(request.headers['max-total-cents'])
  const maxTopUpCents = parseCents('Max-Top-Up-Cents', request.headers['max-top-up-cents'])
  const refusesKnown = readRefusal(request.headers['known-recording'])
  const again = { maxTotalCents, maxTopUpCents, quote, refusesKnown }
  const { order, options } = await holdUpload(uploads, caller, id, async (upload) => {
    const received = await store.receivedBytes(upload)
    const { options } = JSON.parse(upload.request_json) as UploadRequest
    if (received === upload.bytes) return { options, order: orders.begin(caller.account, id, again) }
    throw new ServiceError(409, `The upload has ${received} of ${upload.bytes} bytes. Send the rest first.`)
  })
  const made = await order
  reply.headers(await warnOfOrder(platform, caller.account, options))
  return made
}
