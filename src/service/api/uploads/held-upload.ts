import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { uploadedFileHeader } from '../../../contract/interface/resumable-uploads.ts'
import type { Caller } from '../../accounts/auth/authenticate.ts'
import { holdSpareDisk } from '../../orders/create/storage-room.ts'
import { describeProject } from '../../orders/projects/order-into-project.ts'
import type { Upload } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { sendContinue } from '../http/unread-body.ts'
import { warnOfOrder } from '../v1/files.ts'
import type { UploadRequest } from './check-upload.ts'
import { expiryHeader, readByteCount } from './tus-headers.ts'
import type { UploadLocks } from './upload-locks.ts'
import type { UploadOrders } from './upload-orders.ts'
import type { UploadStore } from './upload-store.ts'

/** Shared by the handlers of one environment's resumable uploads. */
export type Uploads = {
  platform: Platform
  /** path at which uploads are created, and below which each has its own */
  basePath: string
  limits: RateLimits
  store: UploadStore
  locks: UploadLocks
  orders: UploadOrders
}

/** What the routes of resumable uploads are given. */
export type UploadGiven = { uploads: Uploads; caller: Caller }
export type UploadContext<Params = unknown> = UploadGiven & {
  params: Params
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Runs `work` with an exclusive lock on an upload that the caller's key reaches.
 * @param onWanted called when another request waits for it
 * @throws ServiceError 404, 503
 */
export async function holdUpload<Result>(
  { store, locks }: Uploads,
  caller: Caller,
  id: string,
  work: (upload: Upload) => Promise<Result>,
  onWanted?: () => void,
): Promise<Result> {
  // Checked before locking, so that nobody disturbs another account's upload, and again, as it may be removed in
  // between.
  await store.find(id, caller)
  return await locks.hold(id, async (fence) => work({ ...(await store.find(id, caller)), fence }), onWanted)
}

/**
 * Returns the body's length, null if unknown in advance.
 * @throws ServiceError 413 if the body is longer than the rest of an upload of `bytes` at `offset`
 */
export function checkBodyLength(headers: IncomingHttpHeaders, offset: number, bytes: number): number | null {
  const length = readByteCount(headers, 'content-length')
  if (offset + (length ?? 0) <= bytes) return length
  throw new ServiceError(413, `The upload has ${bytes} bytes in total; this request would exceed that.`)
}

/**
 * Appends a request's body at `offset`, creates the order if that completes the upload, and sets the response headers
 * accordingly.
 * @throws ServiceError 400, 404, 409, 413, 503, 507 and as `createOrder`; bytes that arrived before a failure are
 * stored
 */
export async function appendBody(
  uploads: Uploads,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, offset }: { id: string; offset: number },
): Promise<void> {
  const { platform, store, orders } = uploads
  const { raw, headers, caller } = request
  const { reached, order, project, options } = await holdUpload(uploads, caller, id, append, endBody)
  // "It MUST include the Upload-Offset header containing the new offset."
  reply.header('upload-offset', reached)
  // "This header MUST be included in every PATCH response if the upload is going to expire."
  if (order === null) reply.headers(expiryHeader(platform.clock()))
  else {
    const made = await order
    reply.headers({ [uploadedFileHeader]: made.id, ...(await describeProject(platform.db, project, made.id)) })
    reply.headers(await warnOfOrder(platform, caller.account, options))
  }

  async function append(upload: Upload) {
    const present = await store.receivedBytes(upload)
    // "If the offsets do not match, the Server MUST respond with the 409 Conflict status without modifying the upload
    // resource."
    if (present !== offset) throw new ServiceError(409, `The upload has ${present} bytes, not ${offset}.`)
    const length = checkBodyLength(headers, offset, upload.bytes)
    const isComplete = offset === upload.bytes
    const arriving = length ?? upload.bytes - offset
    using _room = isComplete ? null : await holdSpareDisk(platform, caller.account, arriving)
    const reached = length === 0 || isComplete ? offset : await readBody(upload)
    const { project, options } = JSON.parse(upload.request_json) as UploadRequest
    return { reached, project, options, order: reached === upload.bytes ? orders.begin(caller.account, id) : null }
  }

  function endBody(): void {
    raw.destroy()
  }

  /** A silent body is cut off (decision 16), but not the wait for an order that compares gigabytes. */
  async function readBody(upload: Upload): Promise<number> {
    sendContinue(request, reply)
    raw.setTimeout(platform.config.silentBodyMs, endBody)
    try {
      return await store.append(raw, upload, offset, platform.ending)
    } finally {
      raw.setTimeout(0)
    }
  }
}
