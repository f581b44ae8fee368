import type { Caller } from '../../accounts/auth/authenticate.ts'
import { reaches } from '../../accounts/auth/key-limits.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'

/** The same response for a wrong id, a deleted file and another account's file (spec 7), or one beyond the key. */
export function fileNotFound(): ServiceError {
  return new ServiceError(404, 'There is no file with this id. It may have been deleted.')
}

/** A file of the account that the caller's key reaches. @throws ServiceError 404 */
export async function ownFile(
  { hotReads, clock }: Pick<Platform, 'hotReads' | 'clock'>,
  caller: Caller,
  fileId: string,
): Promise<FileRow> {
  const file = await hotReads.fileOf(caller.account.id, fileId, clock())
  if (file === undefined || !reaches(caller, file.project_id)) throw fileNotFound()
  return file
}

/** A file's recording, the copy of it for listening, or a small picture of it. */
export type HeardPart = 'media' | 'listen' | `video/${string}`

/**
 * @returns size of the recording, or of its copy, in bytes
 * @throws ServiceError 410 if a rule deleted it, or it is lost: the file's row and words remain
 */
export async function recordingBytes(
  { blobs }: Pick<Platform, 'blobs'>,
  file: FileRow,
  part: HeardPart = 'media',
): Promise<number> {
  const { recording_deleted_at: deletedAt, recording_deleted_by: by } = file
  if (deletedAt !== null) {
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(deletedAt)
    throw new ServiceError(410, `The recording was deleted on ${day} by a retention rule (${by}). The text stays.`)
  }
  const bytes = await blobs.size(file.id, part)
  if (bytes !== null) return bytes
  throw new ServiceError(410, 'The recording of this file was lost on the service. Its transcript is not affected.')
}
