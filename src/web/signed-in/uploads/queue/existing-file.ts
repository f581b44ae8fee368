import type { FileMetadata } from '../../../../contract/interface/metadata.ts'
import type { Upload } from '../tray/upload.ts'

/** A file of the account that may be the order of an upload. */
export type ExistingFile = { readonly fileId: string; readonly created: string; readonly total: number }

/** Tolerated clock skew between browser and service. */
const clockToleranceMs = 5 * 60_000

/** `Interview 08.m4a` gives `Interview 08`: the service's names have no extension (spec 2.2). */
export function nameWithoutExtension(fileName: string): string {
  return fileName.replace(/(.)\.[^.]+$/, '$1')
}

/** True if a file of the account has the upload's name and size and was created after the upload was submitted. */
export function isSameOrder(upload: Upload, metadata: FileMetadata): boolean {
  const since = (upload.agreement?.at ?? upload.addedAt) - clockToleranceMs
  const isRecent = Date.parse(metadata.created) >= since
  if (upload.source.kind === 'link') return isRecent && upload.source.url.includes(metadata.name)
  return isRecent && metadata.name === nameWithoutExtension(upload.name) && Number(metadata.bytes) === upload.bytes
}

/**
 * Searches new files of the account for the order of an upload whose response was lost.
 * @param ids all ids of the account now; those listed before the first attempt are skipped
 * @param readMetadata HEAD of one file (spec 4.3)
 */
export async function findExisting(
  upload: Upload,
  ids: readonly string[],
  readMetadata: (id: string) => Promise<FileMetadata>,
): Promise<ExistingFile | null> {
  const before = new Set(upload.idsBefore ?? [])
  for (const id of ids.filter((candidate) => !before.has(candidate))) {
    const metadata = await readMetadata(id)
    if (isSameOrder(upload, metadata)) return { fileId: id, created: metadata.created, total: metadata.total }
  }
  return null
}
