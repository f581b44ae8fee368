import { stat } from 'node:fs/promises'
import { isAbsent } from './file-errors.ts'

/**
 * A file in a directory that nodes share is an orphan once it has not changed for this long: no request and no job
 * takes that time between two writes.
 */
export const leftOverAfterMs = 24 * 60 * 60_000

/** True if neither content nor name of a file or directory has changed since then (milliseconds since 1970). */
export async function isChangedBefore(path: string, time: number): Promise<boolean> {
  try {
    return time === Number.POSITIVE_INFINITY || (await stat(path)).ctimeMs < time
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}
