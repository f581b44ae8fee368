import type { Readable } from 'node:stream'
import { isDatabaseAway } from '../../platform/db/database-away.ts'
import { pour } from '../../platform/media/pour.ts'
import { ServiceError } from '../../platform/service-error.ts'

/**
 * Appends a body to an upload of `bytes` bytes.
 * @param writer tracks how many it has
 * @param onChunk called after each chunk
 * @param signal aborted with a ServiceError on shutdown
 * @throws ServiceError 400 if the body aborts, 413 if it is too long; errors of `writer` and `onChunk`
 */
export async function pourBody(
  source: Readable,
  writer: { readonly bytes: number; append(chunk: Uint8Array): Promise<void> },
  bytes: number,
  signal: AbortSignal,
  onChunk: () => Promise<void> | undefined = () => undefined,
): Promise<void> {
  const take = async (chunk: Uint8Array) => {
    if (writer.bytes + chunk.byteLength > bytes)
      throw new ServiceError(413, 'The request sent more bytes than the upload has.')
    await writer.append(chunk)
    await onChunk()
  }
  try {
    await pour(source, take, signal)
  } catch (error) {
    if (error instanceof ServiceError || isDatabaseAway(error)) throw error
    throw new ServiceError(400, 'The body ended early. What was received is kept.')
  }
}
