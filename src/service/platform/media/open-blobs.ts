import type { Config } from '../config.ts'
import { dataPaths, scratchOf } from '../data-directory.ts'
import type { BlobStore } from './blob-store.ts'
import { directoryPlace } from './directory-place.ts'
import { openFsBlobStore } from './fs-blob-store.ts'
import type { RecordingsPlace } from './recordings-place.ts'

/** Blob storage; nothing is written there before `open`, which waits until the database is known to match. */
export type OpenedPlace = { place: RecordingsPlace; open(): Promise<BlobStore> }

/** Loads S3 code lazily, only if it is used. @throws StartError as `openS3` */
export async function findBlobs(config: Config): Promise<OpenedPlace> {
  if (config.s3 !== null) return await (await import('./s3/open-s3.ts')).openS3(config.s3, scratchOf(config))
  const { blobs } = dataPaths(config.dataDir)
  return { place: directoryPlace(config.dataDir, blobs), open: () => openFsBlobStore(blobs) }
}
