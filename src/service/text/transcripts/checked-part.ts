import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { BlobPart, BlobStore } from '../../platform/media/blob-store.ts'

/*
 * Renderings are stored with a trailing CRC-32, little-endian, so that one damaged on disk is rendered again instead of
 * sent.
 */

const checksumBytes = 4
/** The CRC-32 of anything that ends with its own. */
const intact = 0x2144df1c

/** Content followed by its checksum. */
export async function* withChecksum(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let sum = 0
  for await (const chunk of content) {
    sum = crc32(chunk, sum)
    yield chunk
  }
  const end = Buffer.alloc(checksumBytes)
  end.writeUInt32LE(sum)
  yield end
}

/** The content and length of a part written with its checksum; null if it is absent or damaged. */
export async function openChecked(
  blobs: BlobStore,
  fileId: string,
  part: BlobPart,
): Promise<{ bytes: number; content: Readable } | null> {
  const size = await blobs.size(fileId, part)
  if (size === null) return null
  let sum = 0
  for await (const chunk of blobs.read(fileId, part)) sum = crc32(chunk, sum)
  if (sum !== intact) return null
  const bytes = size - checksumBytes
  const content = bytes === 0 ? Readable.from([]) : blobs.read(fileId, part, { start: 0, end: bytes - 1 })
  return { bytes, content }
}
