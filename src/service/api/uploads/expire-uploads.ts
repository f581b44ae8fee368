import { unfinishedUploadRetentionMs } from '../../../contract/interface/resumable-uploads.ts'
import type { Platform } from '../../platform/platform.ts'
import { UploadStore } from './upload-store.ts'

/** Removes uploads that got no byte for 24 hours. What became of the others need not be known any longer by then. */
export async function expireUploads(platform: Platform): Promise<void> {
  await new UploadStore(platform).removeUntouchedSince(platform.clock() - unfinishedUploadRetentionMs)
}

/** Removes bytes that a crash or a restore has left. @param changedBefore see `removeOrphans` */
export async function removeUnknownUploads(platform: Platform, changedBefore: number): Promise<void> {
  await new UploadStore(platform).bytes.removeUnknown(changedBefore)
}
