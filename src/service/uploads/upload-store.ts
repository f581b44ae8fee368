import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { FileStore } from '@tus/file-store'
import { Upload } from '@tus/server'
import type { OrderOptions } from '../../contract/option-values.ts'
import type { Db } from '../db/open.ts'
import { BatchWriter } from '../media/batch-writer.ts'
import { pour } from '../media/pour.ts'
import type { Clock } from '../platform.ts'
import { ServiceError } from '../service-error.ts'

/** What an upload is to become an order of; column `request_json`. */
export type UploadRequest = {
  fileName: string
  declaredType: string
  /** as applied when the upload was begun */
  options: OrderOptions
  /** the client's; null where it gave none */
  idempotencyKey: string | null
  /** as tus tells it back */
  metadata: Record<string, string | null>
}

/** Reads and forgets rows of `uploads` for tus; they are written where the upload is checked. */
function records(db: Db) {
  return {
    async get(id: string): Promise<Upload | undefined> {
      const row = await db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()
      if (row === undefined) return undefined
      const { metadata } = JSON.parse(row.request_json) as UploadRequest
      return new Upload({ id, size: row.bytes, offset: 0, metadata })
    },
    set: async () => undefined,
    delete: async (id: string) => void (await db.deleteFrom('uploads').where('id', '=', id).execute()),
  }
}

/** What comes is with the system so soon, so that the end of this process costs a slow line little. */
const writtenWithinMs = 500

/** Uploads under way: their bytes in a directory on the blobs' disk, what they are for in the database. */
export class UploadStore extends FileStore {
  readonly #db: Db
  readonly #clock: Clock

  constructor(directory: string, db: Db, clock: Clock) {
    super({ directory, configstore: records(db) })
    this.#db = db
    this.#clock = clock
    this.extensions = ['creation', 'creation-with-upload', 'termination']
  }

  pathOf(id: string): string {
    return join(this.directory, id)
  }

  /**
   * Appends what comes, and notes when. What came is kept however it ends, so that a client goes on from there; flushed
   * unless it is the last, which the order flushes.
   * @param at where the file ends now, and where it has to end. @returns where it ends then
   * @throws ServiceError 400 where the body breaks off, 413 where it is too long, 507 on a full disk
   */
  async append(source: Readable, id: string, { offset, most }: { offset: number; most: number }): Promise<number> {
    const file = await open(this.pathOf(id), 'a')
    const writer = new BatchWriter(file, offset)
    const writing = setInterval(() => writer.write(), writtenWithinMs)
    try {
      await pour(source, async (chunk) => {
        if (writer.bytes + chunk.byteLength > most) throw new ServiceError(413, 'More came than the upload has bytes.')
        await writer.append(chunk)
      })
    } catch (error) {
      throw error instanceof ServiceError ? error : new ServiceError(400, 'The body broke off. What came is kept.')
    } finally {
      clearInterval(writing)
      await writer
        .drain()
        .then(() => (writer.bytes < most ? file.datasync() : undefined))
        .finally(() => file.close())
      await this.#db.updateTable('uploads').set({ touched_at: this.#clock() }).where('id', '=', id).execute()
    }
    return writer.bytes
  }

  /** What comes with the creation itself. */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    const row = await this.#db.selectFrom('uploads').select('bytes').where('id', '=', id).executeTakeFirstOrThrow()
    return await this.append(source, id, { offset, most: row.bytes })
  }

  /** Frees the bytes; the row stays, to tell what became of them. */
  async freeBytes(id: string): Promise<void> {
    await rm(this.pathOf(id), { force: true })
  }

  /** Forgets an upload altogether. */
  async forget(id: string): Promise<void> {
    await this.freeBytes(id)
    await this.#db.deleteFrom('uploads').where('id', '=', id).execute()
  }
}
