import { stat } from 'node:fs/promises'
import { isAbsent } from './file-errors.ts'

/**
 * What is left in a directory that nodes share belongs to nobody once it has not changed for so long: no request and no
 * job takes that time between two writes.
 */
export const leftOverAfterMs = 24 * 60 * 60_000

/** True where neither content nor name of a file or directory has changed since then (milliseconds since 1970). */
export async function isChangedBefore(path: string, time: number): Promise<boolean> {
  try {
    return time === Number.POSITIVE_INFINITY || (await stat(path)).ctimeMs < time
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}
