import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import { Upload } from '@tus/server'
import type { OrderOptions } from '../../contract/order-options.ts'
import type { Db } from '../db/open.ts'
import { asWriteError } from '../media/full-disk.ts'
import type { Clock } from '../platform.ts'

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

  /** Appends, and notes when; how far it came after a failure is told by the size of the file. */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(this.pathOf(id), {
      flags: 'r+',
      start: offset,
      flush: true,
      highWaterMark: 1_048_576,
    })
    try {
      await pipeline(source, file)
    } catch (error) {
      throw asWriteError(error)
    } finally {
      await this.#db.updateTable('uploads').set({ touched_at: this.#clock() }).where('id', '=', id).execute()
    }
    return offset + file.bytesWritten
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
