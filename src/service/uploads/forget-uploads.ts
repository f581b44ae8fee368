import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { unfinishedUploadKeptMs } from '../../contract/resumable-uploads.ts'
import { dataPaths } from '../data-directory.ts'
import type { Platform } from '../platform.ts'

/** Frees what uploads hold that got no byte for 24 hours, and forgets what became of the others by then. */
export async function forgetUploads({ db, clock, config }: Platform): Promise<void> {
  const old = await db
    .selectFrom('uploads')
    .select('id')
    .where('touched_at', '<', clock() - unfinishedUploadKeptMs)
    .execute()
  for (const { id } of old) {
    await rm(join(dataPaths(config.dataDir).uploads, id), { force: true })
    await db.deleteFrom('uploads').where('id', '=', id).execute()
  }
}
