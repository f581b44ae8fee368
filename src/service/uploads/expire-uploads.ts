import { unfinishedUploadRetentionMs } from '../../contract/resumable-uploads.ts'
import { dataPaths } from '../data-directory.ts'
import type { Platform } from '../platform.ts'
import { UploadStore } from './upload-store.ts'

/** Removes uploads that got no byte for 24 hours. What became of the others need not be known any longer by then. */
export async function expireUploads(platform: Platform): Promise<void> {
  await storeOf(platform).removeUntouchedSince(platform.clock() - unfinishedUploadRetentionMs)
}

/** Removes bytes that a crash or a restore has left. Call it at the start, before there are requests. */
export async function removeUnknownUploads(platform: Platform): Promise<void> {
  await storeOf(platform).removeUnknown()
}

function storeOf({ db, clock, config }: Platform): UploadStore {
  return new UploadStore(dataPaths(config.dataDir).uploads, db, clock)
}
