import type { BlobPart, BlobStore } from '../blob-store.ts'

/** For tests that inspect blobs in a directory: the path of a file's part. */
export function storedPath(blobs: BlobStore, fileId: string, part: BlobPart): string {
  const path = blobs.localPath(fileId, part)
  if (path === null) throw new Error('These blobs are not in a directory.')
  return path
}
