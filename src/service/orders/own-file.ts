import type { FileRow } from '../db/schema.ts'
import type { Platform } from '../platform.ts'
import { ServiceError } from '../service-error.ts'

/** One answer for a wrong id, a deleted file and another account's file (spec 7). */
export function fileNotFound(): ServiceError {
  return new ServiceError(404, 'There is no file with this id. It may have been deleted.')
}

/** A file of the account. @throws ServiceError 404 */
export async function ownFile(
  { hotReads, clock }: Pick<Platform, 'hotReads' | 'clock'>,
  accountId: string,
  fileId: string,
): Promise<FileRow> {
  const file = await hotReads.fileOf(accountId, fileId, clock())
  if (file === undefined) throw fileNotFound()
  return file
}
