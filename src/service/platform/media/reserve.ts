import { randomBytes } from 'node:crypto'
import { rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isAbsent, isFullDisk } from './file-errors.ts'

/** More than the journal of a sweep of a hundred files. */
const reserveBytes = 8_000_000
/** The space is reserved again only once this many times as much is free. */
const plenty = 4

/** Disk space reserved so that deletions work on a full disk: they, too, write before they free space. */
export class Reserve {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Runs `work`, which frees space. On a full disk, releases the reserve and runs `work` once more. */
  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!isFullDisk(error)) throw error
      await rm(this.#path, { force: true })
      return await work()
    }
  }

  /** Reserves the space, again if necessary, if there is plenty. */
  async keep(): Promise<void> {
    if ((await this.#size()) === reserveBytes) return
    const { bavail, bsize } = await statfs(dirname(this.#path))
    if (bavail * bsize < plenty * reserveBytes) return
    try {
      // Random bytes take space even on compressing disks.
      await writeFile(this.#path, randomBytes(reserveBytes), { mode: 0o600, flush: true })
    } catch (error) {
      await rm(this.#path, { force: true })
      throw error
    }
  }

  async #size(): Promise<number> {
    try {
      return (await stat(this.#path)).size
    } catch (error) {
      if (isAbsent(error)) return 0
      throw error
    }
  }
}
