import { createReadStream } from 'node:fs'
import { changeFile } from '../orders/file/change-file.ts'
import type { FileRow } from '../platform/db/schema.ts'
import type { ChosenSound } from '../platform/media/decode.ts'
import { isFullDisk } from '../platform/media/file-errors.ts'
import { isWholeCopy } from '../platform/media/listening-copy.ts'
import type { Platform } from '../platform/platform.ts'

/** True if players seek inexactly in a recording, or play another track, and it has no listening copy yet. */
export function needsCopy({ listening_copy }: FileRow, { isPlayed }: ChosenSound): boolean {
  return listening_copy === 'needed' || (listening_copy === null && !isPlayed)
}

/** Stores the listening copy, before the transcript can be ready; a full disk costs only the copy. */
export async function keepCopy(
  platform: Platform,
  file: FileRow,
  { path, decodedMs }: { path: string; decodedMs: number },
  signal: AbortSignal,
): Promise<void> {
  const storeCopy = async () => {
    if (!(await isWholeCopy(path, decodedMs, signal))) return 'no-room'
    await platform.blobs.write(file.id, 'listen', createReadStream(path))
    return 'made'
  }
  const listening_copy = await storeCopy().catch((error: unknown) => {
    if (isFullDisk(error)) return 'no-room' as const
    throw error
  })
  await changeFile(platform, file.id, () => ({ listening_copy }))
}
