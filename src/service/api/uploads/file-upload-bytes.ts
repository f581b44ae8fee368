import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { link, mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Db } from '../../platform/db/open.ts'
import type { Upload } from '../../platform/db/schema.ts'
import { BatchWriter } from '../../platform/media/batch-writer.ts'
import type { AdoptedFiles, StagedBlob } from '../../platform/media/blob-store.ts'
import { isChangedBefore } from '../../platform/media/changed-before.ts'
import { isAbsent } from '../../platform/media/file-errors.ts'
import type { Clock } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { pourBody } from './pour-body.ts'
import type { UploadBytes } from './upload-bytes.ts'

/** Bytes are written to disk within this time, so that a crash costs a slow client little. */
const writtenWithinMs = 500
/** How often the row is touched while bytes arrive: a slow upload may outlast the retention of abandoned ones. */
const touchEveryMs = 60_000
/** Left free for the database and everything else. */
const spareBytes = 200_000_000

/** Stores each upload as a file, in a directory on the blobs' disk. */
export class FileUploadBytes implements UploadBytes {
  readonly #directory: string
  readonly #blobs: AdoptedFiles
  readonly #db: Db
  readonly #clock: Clock

  constructor(directory: string, blobs: AdoptedFiles, db: Db, clock: Clock) {
    this.#directory = directory
    this.#blobs = blobs
    this.#db = db
    this.#clock = clock
  }

  async open(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
  }

  newRow(): Pick<Upload, 'object_id'> {
    return { object_id: null }
  }

  async requireRoom(bytes: number): Promise<void> {
    const disk = await statfs(this.#directory)
    if (disk.bavail * disk.bsize >= bytes + spareBytes) return
    throw new ServiceError(507, 'The service is out of storage space for a file of this size. Nothing was charged.')
  }

  async received({ id }: Upload): Promise<number> {
    try {
      return (await stat(this.#pathOf(id))).size
    } catch (error) {
      if (isAbsent(error)) return 0
      throw error
    }
  }

  offsetIsInRow(): boolean {
    return false
  }

  /** Flushes stored bytes, unless they complete the upload: the order then flushes them. */
  async append(source: Readable, { id, bytes }: Upload, offset: number, signal: AbortSignal): Promise<number> {
    const file = await open(this.#pathOf(id), constants.O_WRONLY | constants.O_CREAT, 0o600)
    const writer = new BatchWriter(file, offset)
    const writing = setInterval(() => writer.write(), writtenWithinMs)
    let touchedAt = this.#clock()
    try {
      await pourBody(source, writer, bytes, signal, async () => {
        if (this.#clock() - touchedAt < touchEveryMs) return
        touchedAt = this.#clock()
        // If the database is down, the next minute's touch will do.
        await this.#touch(id).catch(() => undefined)
      })
    } finally {
      clearInterval(writing)
      await writer
        .drain()
        .then(() => (writer.bytes < bytes ? file.datasync() : undefined))
        .finally(() => file.close())
      await this.#touch(id)
    }
    return writer.bytes
  }

  /** Stages a hard link, which the order may consume: if it is refused, the bytes are still here for a retry. */
  async stage({ id }: Upload): Promise<StagedBlob> {
    const path = `${this.#pathOf(id)}.${randomUUID()}`
    try {
      await link(this.#pathOf(id), path)
    } catch (error) {
      if (isAbsent(error)) throw new ServiceError(404, 'The upload has expired.')
      throw error
    }
    return await this.#blobs.adopt(path)
  }

  async forget({ id }: Upload): Promise<void> {
    await rm(this.#pathOf(id), { force: true })
  }

  /** Also removes staged hard links. */
  async removeUnknown(changedBefore: number): Promise<void> {
    await this.open()
    const uploads = await this.#db.selectFrom('uploads').select('id').where('file_id', 'is', null).execute()
    const known = new Set(uploads.map(({ id }) => id))
    for (const name of await readdir(this.#directory)) {
      const path = this.#pathOf(name)
      if (!known.has(name) && (await isChangedBefore(path, changedBefore)))
        await rm(path, { recursive: true, force: true })
    }
  }

  /** Path of the file, which is absent until the first byte. */
  #pathOf(id: string): string {
    return join(this.#directory, id)
  }

  async #touch(id: string): Promise<void> {
    await this.#db.updateTable('uploads').set({ touched_at: this.#clock() }).where('id', '=', id).execute()
  }
}
