import { ServiceError } from '../../platform/service-error.ts'
import { appendBody, type UploadContext } from './held-upload.ts'
import { readByteCount, requireTusVersion, uploadContentType } from './tus-headers.ts'

/**
 * PATCH: appends the body, and creates the order if that completes the upload.
 * @throws ServiceError 400, 404, 409, 412, 413, 415, 429, 503, 507 and as `createOrder`; bytes that arrived before a
 * failure are stored
 */
export async function patchUpload({
  uploads,
  caller,
  params,
  request,
  reply,
}: UploadContext<{ id: string }>): Promise<void> {
  const { headers } = request
  const { id } = params
  requireTusVersion(headers)
  // "If the server receives a PATCH request against a non-existent resource it SHOULD return a 404 Not Found status",
  // whatever else is wrong with it.
  await uploads.store.find(id, caller)
  // "All PATCH requests MUST use Content-Type: application/offset+octet-stream, otherwise the server SHOULD return a
  // 415 Unsupported Media Type status."
  if (headers['content-type'] !== uploadContentType) {
    throw new ServiceError(415, `The Content-Type of a PATCH must be ${uploadContentType}.`)
  }
  const offset = readByteCount(headers, 'upload-offset')
  if (offset === null) throw new ServiceError(400, 'Upload-Offset is required.')
  const endUpload = uploads.limits.beginUpload(caller)
  try {
    // "The Server MUST acknowledge successful PATCH requests with the 204 No Content status."
    await appendBody(uploads, request, reply, { id, offset })
  } finally {
    endUpload()
  }
}
