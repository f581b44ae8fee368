import { statfs } from 'node:fs/promises'
import { StartError } from './start-error.ts'

/** As much SQLite writes when it opens a database. */
const leastFreeBytes = 256 * 1_024

/** A command cannot go on as a disk is full. */
export class FullDiskError extends StartError {
  constructor(path: string, cause?: unknown) {
    super(`The disk that holds ${path} is full. Nothing was changed: make room there, and try again.`, { cause })
  }
}

/** Whether words of tar, restic or SQLite say that a disk is full. */
export const saysFullDisk = (words: string) =>
  /no space left on device|wrote only \d+ of \d+ bytes|database or disk is full/i.test(words)

/** That the disk of a directory is full, if it is, else the error: SQLite calls that damage, or an error of the disk. */
export async function orFullDisk(error: unknown, directory: string): Promise<unknown> {
  if (error instanceof StartError) return error
  const free = await statfs(directory).catch(() => null)
  return free !== null && free.bavail * free.bsize < leastFreeBytes ? new FullDiskError(directory, error) : error
}
