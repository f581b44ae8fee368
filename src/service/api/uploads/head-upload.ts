import type { FastifyReply } from 'fastify'
import { uploadedFileHeader } from '../../../contract/interface/resumable-uploads.ts'
import type { Upload } from '../../platform/db/schema.ts'
import type { UploadRequest } from './check-upload.ts'
import { holdUpload, type UploadContext } from './held-upload.ts'
import { formatMetadata, requireTusVersion } from './tus-headers.ts'

/**
 * HEAD: an upload's offset, and until it expires, the order a complete one became. Ends a request still writing to it:
 * the client has reconnected.
 * @throws ServiceError 404, 412, 503
 */
export async function headUpload({
  uploads,
  caller,
  params,
  request,
  reply,
}: UploadContext<{ id: string }>): Promise<FastifyReply> {
  const { id } = params
  requireTusVersion(request.headers)
  const { store } = uploads
  const found = await store.find(id, caller)
  const look = async (upload: Upload) => ({ upload, received: await store.receivedBytes(upload) })
  const offsetIsInRow = store.bytes.offsetIsInRow(found)
  const { upload, received } = await (offsetIsInRow ? look(found) : holdUpload(uploads, caller, id, look))
  const { metadata } = JSON.parse(upload.request_json) as UploadRequest
  // "The Server MUST always include the Upload-Offset header in the response for a HEAD request, even if the offset is 0,
  // or the upload is already considered completed. If the size of the upload is known, the Server MUST include the
  // Upload-Length header in the response."
  reply.headers({ 'upload-offset': received, 'upload-length': upload.bytes })
  // "If an upload contains additional metadata, responses to HEAD requests MUST include the Upload-Metadata header."
  if (Object.keys(metadata).length > 0) reply.header('upload-metadata', formatMetadata(metadata))
  if (upload.file_id !== null) reply.header(uploadedFileHeader, upload.file_id)
  // "The Server MUST prevent the client and/or proxies from caching the response by adding the Cache-Control: no-store
  // header to the response."
  return reply.header('cache-control', 'no-store').send()
}
