import { createReadStream } from 'node:fs'
import type { AccountRoom } from '../../../testing/account-room.ts'

/** For tests: makes the video at a path the recording of a file of the room. @param extension of its format */
export async function giveVideo(
  { service: { platform }, account }: AccountRoom,
  fileId: string,
  path: string,
  extension: string,
): Promise<void> {
  await platform.blobs.write(fileId, 'media', createReadStream(path))
  const kind = { media_extension: extension, media_kind: 'video' } as const
  await platform.db.updateTable('files').set(kind).where('id', '=', fileId).execute()
  platform.changes.notify({ kind: 'file', accountId: account.id, fileId })
}
