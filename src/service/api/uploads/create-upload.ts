import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { mintId } from '../../platform/ids.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { checkUpload } from './check-upload.ts'
import { appendBody, checkBodyLength, type UploadContext } from './held-upload.ts'
import { expiryHeader, parseMetadata, readByteCount, requireTusVersion, uploadContentType } from './tus-headers.ts'

/** @throws ServiceError 400 if the length is absent or deferred, or the upload is one part of several */
function readLength(headers: IncomingHttpHeaders): number {
  if (headers['upload-concat'] !== undefined) {
    throw new ServiceError(400, 'Upload-Concat is not supported: an upload is one recording.')
  }
  // "The request MUST include one of the following headers: Upload-Length …, Upload-Defer-Length". The second is an
  // extension that is not offered here.
  const bytes = readByteCount(headers, 'upload-length')
  if (bytes === null || headers['upload-defer-length'] !== undefined) {
    throw new ServiceError(400, 'Upload-Length is required; a deferred length is not supported.')
  }
  return bytes
}

/**
 * POST, extensions creation and creation-with-upload: validates the order as far as known, and creates an upload.
 * @throws ServiceError 400, 402, 412, 413, 415, 429, 507
 */
export async function createUpload({ uploads, caller, request, reply }: UploadContext): Promise<FastifyReply> {
  const { platform, limits, store, basePath } = uploads
  const { headers } = request
  requireTusVersion(headers)
  const bytes = readLength(headers)
  const bringsBytes = headers['content-type'] === uploadContentType
  if (bringsBytes) checkBodyLength(headers, 0, bytes)
  const metadata = parseMetadata(headers['upload-metadata'])
  const endUpload = limits.beginUpload(caller)
  try {
    const asked = { bytes, metadata, idempotencyKey: headers['idempotency-key'] }
    const order = await checkUpload(platform, caller, store.bytes, asked)
    const id = mintId('u')
    await store.create({ id, account_id: caller.account.id, bytes, request_json: JSON.stringify(order) })
    if (bringsBytes) await appendBody(uploads, request, reply, { id, offset: 0 })
    else reply.headers(expiryHeader(platform.clock()))
    // "The Server MUST acknowledge a successful upload creation with the 201 Created status. The Server MUST set the
    // Location header to the URL of the created resource. This URL MAY be absolute or relative."
    return reply.header('location', basePath + id).send()
  } finally {
    endUpload()
  }
}
