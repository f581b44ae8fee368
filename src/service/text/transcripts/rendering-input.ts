import { buffer } from 'node:stream/consumers'
import { readStoredOptions } from '../../../contract/interface/option-values.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import { iso } from '../../platform/iso-time.ts'
import type { BlobStore } from '../../platform/media/blob-store.ts'
import { isAbsent } from '../../platform/media/file-errors.ts'
import type { Rendering } from './rendering.ts'

/** A rendering's facts about a file, besides its words. */
export function describeFile(file: FileRow): Rendering['about'] {
  return {
    title: file.name,
    options: readStoredOptions(file.options_json),
    created: iso(file.created_at),
    durationMs: file.duration_ms,
    progressPercent: file.progress_percent,
    ...(file.readable_ms === null ? {} : { readableMs: file.readable_ms }),
  }
}

/**
 * A finished file's words, readable by a thread: a path, or fetched now; empty if they are lost.
 * @throws ServiceError 503 if they cannot be fetched
 */
export async function finishedWords(blobs: BlobStore, fileId: string): Promise<Rendering['words']> {
  const path = blobs.localPath(fileId, 'words.json')
  if (path !== null) return { path }
  const json = await buffer(blobs.read(fileId, 'words.json')).catch((error: unknown) => {
    if (isAbsent(error)) return new Uint8Array()
    throw error
  })
  return { json }
}
