import { unfinishedUploadRetentionMs } from '../../contract/resumable-uploads.ts'
import { dataPaths } from '../data-directory.ts'
import type { Platform } from '../platform.ts'
import { UploadStore } from './upload-store.ts'

/** Removes uploads that got no byte for 24 hours. What became of the others need not be known any longer by then. */
export async function expireUploads({ db, clock, config }: Platform): Promise<void> {
  const store = new UploadStore(dataPaths(config.dataDir).uploads, db, clock)
  await store.removeUntouchedSince(clock() - unfinishedUploadRetentionMs)
}
