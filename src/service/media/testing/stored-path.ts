import { join } from 'node:path'
import type { BlobPart, BlobStore } from '../blob-store.ts'

/** For tests that look behind blobs in a directory: where a part of a file, or its decoded sound, is. */
export function storedPath(blobs: BlobStore, fileId: string, part: BlobPart | 'sound' | 'sound.unfinished'): string {
  return join(blobs.scratch(fileId), part)
}
