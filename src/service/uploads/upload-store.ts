import { constants } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { databaseNow } from '../db/leases.ts'
import type { Db } from '../db/open.ts'
import type { Account, Upload } from '../db/schema.ts'
import { BatchWriter } from '../media/batch-writer.ts'
import { isChangedBefore } from '../media/changed-before.ts'
import { isAbsent } from '../media/file-errors.ts'
import { pour } from '../media/pour.ts'
import type { Clock } from '../platform.ts'
import { ServiceError } from '../service-error.ts'

/** Bytes are written this soon after they arrive, so that a crash costs a slow client little. */
const writtenWithinMs = 500
/**
 * How often the row notes that bytes still arrive: a slow upload may take longer than the retention of abandoned ones.
 */
const touchEveryMs = 60_000

/** Uploads under way: their bytes in a directory on the blobs' disk, what they are for in the table `uploads`. */
export class UploadStore {
  /** uploads whose bytes arrive just now, in all stores of this process */
  static readonly #receiving = new Set<string>()
  readonly directory: string
  readonly #db: Db
  readonly #clock: Clock

  constructor(directory: string, db: Db, clock: Clock) {
    this.directory = directory
    this.#db = db
    this.#clock = clock
  }

  /** Makes the directory. */
  async open(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 })
  }

  /** The file of the bytes. There is none before the first byte. */
  pathOf(id: string): string {
    return join(this.directory, id)
  }

  async create(upload: Pick<Upload, 'id' | 'account_id' | 'bytes' | 'request_json'>): Promise<void> {
    const now = this.#clock()
    const row = { ...upload, file_id: null, created_at: now, touched_at: now }
    await this.#db.insertInto('uploads').values(row).execute()
  }

  /** @throws ServiceError 404, for another account's upload too */
  async find(id: string, account: Pick<Account, 'id'>): Promise<Upload> {
    const row = await this.#db
      .selectFrom('uploads')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', '=', account.id)
      .executeTakeFirst()
    if (row === undefined) throw new ServiceError(404, 'There is no such upload. It may have expired.')
    return row
  }

  /** How many bytes have been received: the size of the file on disk; all of them once the upload is an order. */
  async receivedBytes({ id, bytes, file_id: fileId }: Upload): Promise<number> {
    if (fileId !== null) return bytes
    try {
      return (await stat(this.pathOf(id))).size
    } catch (error) {
      if (isAbsent(error)) return 0
      throw error
    }
  }

  /**
   * Appends a stream. What arrived is stored however it ends, so that the client can resume; it is flushed, unless it
   * completes the upload, which the order flushes.
   * @param offset where the file ends now. @returns where it ends then
   * @param signal aborted with a ServiceError where the service ends
   * @throws ServiceError 400 where the body breaks off, 413 where it is too long, 507 on a full disk
   */
  async append(
    source: Readable,
    { id, bytes }: Pick<Upload, 'id' | 'bytes'>,
    offset: number,
    signal: AbortSignal,
  ): Promise<number> {
    const file = await open(this.pathOf(id), constants.O_WRONLY | constants.O_CREAT, 0o600)
    const writer = new BatchWriter(file, offset)
    const writing = setInterval(() => writer.write(), writtenWithinMs)
    UploadStore.#receiving.add(id)
    let touchedAt = this.#clock()
    try {
      await pour(
        source,
        async (chunk) => {
          if (writer.bytes + chunk.byteLength > bytes)
            throw new ServiceError(413, 'The request sent more bytes than the upload has.')
          await writer.append(chunk)
          if (this.#clock() - touchedAt < touchEveryMs) return
          touchedAt = this.#clock()
          // Where the database is away, the next minute's will do.
          await this.#touch(id).catch(() => undefined)
        },
        signal,
      )
    } catch (error) {
      throw error instanceof ServiceError
        ? error
        : new ServiceError(400, 'The body ended early. What was received is kept.')
    } finally {
      clearInterval(writing)
      await writer
        .drain()
        .then(() => (writer.bytes < bytes ? file.datasync() : undefined))
        .finally(() => file.close())
      await this.#touch(id)
      UploadStore.#receiving.delete(id)
    }
    return writer.bytes
  }

  async #touch(id: string): Promise<void> {
    await this.#db.updateTable('uploads').set({ touched_at: this.#clock() }).where('id', '=', id).execute()
  }

  /** Notes which file the upload became, and frees its bytes; the row stays for a client that lost the answer. */
  async markOrdered(id: string, fileId: string): Promise<void> {
    await this.#db.updateTable('uploads').set({ file_id: fileId }).where('id', '=', id).execute()
    await rm(this.pathOf(id), { force: true })
  }

  /** Removes an upload and its bytes. */
  async remove(id: string): Promise<void> {
    await rm(this.pathOf(id), { force: true })
    await this.#db.deleteFrom('uploads').where('id', '=', id).execute()
  }

  /** Removes uploads that got no byte since then and get none now, and the rows of those that became orders before. */
  async removeUntouchedSince(time: number): Promise<void> {
    const old = await this.#db.selectFrom('uploads').select('id').where('touched_at', '<', time).execute()
    for (const { id } of old.filter(({ id }) => !UploadStore.#receiving.has(id))) {
      const removed = this.#db.deleteFrom('uploads').where('id', '=', id).where('touched_at', '<', time)
      const { numDeletedRows } = await removed.where('leased_until', '<', databaseNow).executeTakeFirst()
      if (numDeletedRows > 0n) await rm(this.pathOf(id), { force: true })
    }
  }

  /**
   * Removes the bytes of what is no upload, or an order already; second names of bytes, too.
   * @param changedBefore (milliseconds since 1970) what has changed since stays: other nodes may be at work
   */
  async removeUnknown(changedBefore: number): Promise<void> {
    await this.open()
    const uploads = await this.#db.selectFrom('uploads').select('id').where('file_id', 'is', null).execute()
    const known = new Set(uploads.map(({ id }) => id))
    for (const name of await readdir(this.directory)) {
      const path = this.pathOf(name)
      if (!known.has(name) && (await isChangedBefore(path, changedBefore)))
        await rm(path, { recursive: true, force: true })
    }
  }
}
