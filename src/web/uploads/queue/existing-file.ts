import type { FileMetadata } from '../../../contract/metadata.ts'
import type { Line } from '../tray/line.ts'

/** A file of the account that may be what a line was to become. */
export type ExistingFile = { readonly fileId: string; readonly created: string; readonly total: number }

/** Clocks of browser and service may differ by this much. */
const clockToleranceMs = 5 * 60_000

/** `Interview 08.m4a` gives `Interview 08`: the service's names have no extension (spec 2.2). */
export function nameWithoutExtension(fileName: string): string {
  return fileName.replace(/(.)\.[^.]+$/, '$1')
}

/** True where a file of the account has the line's name and size and was created since the line was ordered. */
export function isSameOrder(line: Line, metadata: FileMetadata): boolean {
  const since = (line.agreement?.at ?? line.addedAt) - clockToleranceMs
  const isRecent = Date.parse(metadata.created) >= since
  if (line.source.kind === 'link') return isRecent && line.source.url.includes(metadata.name)
  return isRecent && metadata.name === nameWithoutExtension(line.name) && Number(metadata.bytes) === line.bytes
}

/**
 * Compares what is new on the account with a line whose answer was lost.
 * @param ids all ids of the account now; those known before the first try are not looked at
 * @param readMetadata HEAD of one file (spec 4.3)
 */
export async function findExisting(
  line: Line,
  ids: readonly string[],
  readMetadata: (id: string) => Promise<FileMetadata>,
): Promise<ExistingFile | null> {
  const before = new Set(line.idsBefore ?? [])
  for (const id of ids.filter((candidate) => !before.has(candidate))) {
    const metadata = await readMetadata(id)
    if (isSameOrder(line, metadata)) return { fileId: id, created: metadata.created, total: metadata.total }
  }
  return null
}
