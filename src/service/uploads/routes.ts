import { mkdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { MemoryLocker, Server } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../contract/environment.ts'
import { uploadedFileHeader, uploadsBasePath } from '../../contract/resumable-uploads.ts'
import type { Caller } from '../auth/authenticate.ts'
import { dataPaths } from '../data-directory.ts'
import type { Upload } from '../db/schema.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { guard } from '../http/require-key.ts'
import { mintId } from '../ids.ts'
import type { Platform } from '../platform.ts'
import { ServiceError } from '../service-error.ts'
import { checkUpload } from './check-upload.ts'
import { orderUpload } from './order-upload.ts'
import { patchUpload, tusVersion } from './patch-upload.ts'
import { UploadStore } from './upload-store.ts'

/** What tus asks back of the request that it is working on. */
type Asking = { caller: Caller; failure: unknown }

type TusError = Error | { status_code: number; body: string }

/** What a web request needs of one that came to Fastify; its body is read as it comes. */
function asWebRequest({ raw, url, headers }: FastifyRequest): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] satisfies [string, string]],
  )
  const method = raw.method ?? 'GET'
  const body = method === 'POST' ? (Readable.toWeb(raw) as ReadableStream<Uint8Array>) : null
  return new Request(new URL(url, 'http://uploads.invalid'), {
    method,
    headers: pairs,
    ...(body === null ? {} : { body, duplex: 'half' as const }),
  })
}

/** The tus server of one environment; whoever asks is found by the web request. Long: one hook after the other. */
function tusServer(
  platform: Platform,
  environment: Environment,
  { store, locker, asking }: { store: UploadStore; locker: MemoryLocker; asking: WeakMap<Request, Asking> },
) {
  const { db, clock } = platform
  const base = uploadsBasePath(environment)

  function callerOf(request: Request): Caller {
    const asked = asking.get(request)
    if (asked === undefined) throw new Error('tus works on a request that did not come here')
    return asked.caller
  }

  return new Server({
    path: base.slice(0, -1),
    datastore: store,
    locker,
    allowedOrigins: () => false, // CORS is the app's own
    generateUrl: (_request, { id }) => base + id,
    namingFunction: () => mintId('u'),
    async onUploadCreate(request, upload) {
      const { account } = callerOf(request as Request)
      const idempotencyKey = request.headers.get('idempotency-key') ?? undefined
      const metadata = upload.metadata ?? {}
      const asked = { bytes: upload.size, metadata, idempotencyKey }
      const { bytes, request: order } = await checkUpload(platform, account, store.directory, asked)
      const now = clock()
      await db
        .insertInto('uploads')
        .values({
          id: upload.id,
          account_id: account.id,
          bytes,
          request_json: JSON.stringify(order),
          file_id: null,
          created_at: now,
          touched_at: now,
        })
        .execute()
      return {}
    },
    async onUploadFinish(request, { id }) {
      const { account } = callerOf(request as Request)
      const row = await db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      const made = await orderUpload(platform, store, account, row)
      return { headers: { [uploadedFileHeader]: made.id } }
    },
    onResponseError(request, error: TusError) {
      const asked = asking.get(request as Request)
      if (asked !== undefined) asked.failure = error
      return undefined
    },
  })
}

/** The error that leaves: our own as it is, one of tus in its words. */
function asServiceError(failure: unknown, response: { status: number; text: string }): unknown {
  if (failure instanceof Error && !('status_code' in failure)) return failure
  const words = response.text.trim()
  return new ServiceError(response.status, words === '' ? 'The upload cannot go on.' : `${words}.`, tusVersion)
}

/**
 * Resumable uploads of one environment (contract: resumable-uploads), as a plugin with the prefix of its base path. Long, as its
 * handlers share the store.
 */
export function uploadRoutes(platform: Platform, environment: Environment, limits: RateLimits) {
  const { db, clock, config } = platform
  const store = new UploadStore(dataPaths(config.dataDir).uploads, db, clock)
  const asking = new WeakMap<Request, Asking>()
  const locker = new MemoryLocker()
  const tus = tusServer(platform, environment, { store, locker, asking })

  /** @throws ServiceError 404 for any other account's upload too */
  async function requireUpload({ caller, params }: FastifyRequest): Promise<Upload> {
    const { id } = params as { id: string }
    const row = await db
      .selectFrom('uploads')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', '=', caller.account.id)
      .executeTakeFirst()
    if (row === undefined) throw new ServiceError(404, 'There is no such upload. It may have expired.', tusVersion)
    return row
  }

  /** Reads a body: so many at once a key, and a silent one is cut (decision 16); what came of it is kept. */
  async function whileReading<Answer>({ raw, caller }: FastifyRequest, work: () => Promise<Answer>): Promise<Answer> {
    const end = limits.beginUpload(caller.keyId)
    raw.setTimeout(config.silentBodyMs, () => raw.destroy())
    try {
      return await work()
    } finally {
      raw.setTimeout(0)
      end()
    }
  }

  async function handOver(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const web = asWebRequest(request)
    const asked: Asking = { caller: request.caller, failure: null }
    asking.set(web, asked)
    const answer = await tus.handleWeb(web)
    const { status } = answer
    if (status >= 400) throw asServiceError(asked.failure, { status, text: await answer.text() })
    return reply.code(status).headers(Object.fromEntries(answer.headers)).send()
  }

  /** What became of a complete upload can be asked for until it is forgotten. */
  async function head(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { file_id: fileId, bytes } = await requireUpload(request)
    if (fileId === null) return await handOver(request, reply)
    const told = { 'upload-offset': bytes, 'upload-length': bytes, [uploadedFileHeader]: fileId }
    return reply.headers({ ...tusVersion, ...told, 'cache-control': 'no-store' }).send()
  }

  return async (app: FastifyInstance): Promise<void> => {
    await mkdir(store.directory, { recursive: true, mode: 0o700 })
    app.decorateRequest('caller')
    app.addHook('onRequest', guard(platform, environment, limits))
    // Bodies are tus's to read.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _body, done) => done(null))
    app.post('', (request, reply) => whileReading(request, () => handOver(request, reply)))
    app.options('', handOver)
    app.head('/:id', head)
    app.patch('/:id', async (request, reply) => {
      const upload = await requireUpload(request)
      return await whileReading(request, () => patchUpload(platform, { store, locker }, upload, request, reply))
    })
    app.delete('/:id', async (request, reply) => {
      await requireUpload(request)
      return await handOver(request, reply)
    })
    app.post('/:id/order', async (request, reply) => {
      const upload = await requireUpload(request)
      const made = await orderComplete(request.caller, upload)
      return reply.code(201).send(made)
    })
  }

  async function orderComplete({ account }: Caller, upload: Upload): Promise<{ id: string }> {
    if (upload.file_id !== null) return { id: upload.file_id }
    const { offset } = await store.getUpload(upload.id)
    if (offset === upload.bytes) return await orderUpload(platform, store, account, upload)
    throw new ServiceError(409, `The upload has ${offset} of ${upload.bytes} bytes. Send the rest first.`)
  }
}
