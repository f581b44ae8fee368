import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { unfinishedUploadRetentionMs } from '../../../contract/interface/resumable-uploads.ts'
import type { Caller } from '../../accounts/auth/authenticate.ts'
import { reaches } from '../../accounts/auth/key-limits.ts'
import { dataPaths } from '../../platform/data-directory.ts'
import { databaseNow } from '../../platform/db/leases.ts'
import type { Db } from '../../platform/db/open.ts'
import type { Upload } from '../../platform/db/schema.ts'
import type { StagedBlob } from '../../platform/media/blob-store.ts'
import type { Clock, Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import type { UploadRequest } from './check-upload.ts'
import { FileUploadBytes } from './file-upload-bytes.ts'
import { ObjectUploadBytes } from './object-upload-bytes.ts'
import type { FoundUpload, UploadBytes } from './upload-bytes.ts'

/** The project that an upload will be ordered into; null: none. */
function projectOf({ request_json }: Upload): string | null {
  return (JSON.parse(request_json) as UploadRequest).project?.id ?? null
}

/** Active uploads: bytes in blob storage, orders-to-be in the table `uploads`. */
export class UploadStore {
  /** uploads receiving bytes right now, in all stores of this process */
  static readonly #receiving = new Set<string>()
  readonly bytes: UploadBytes
  readonly #db: Db
  readonly #clock: Clock

  constructor(platform: Platform) {
    const { db, clock, config, blobs } = platform
    this.bytes =
      'adopt' in blobs.resumed
        ? new FileUploadBytes(dataPaths(config.dataDir).uploads, blobs.resumed, db, clock)
        : new ObjectUploadBytes(platform, blobs.resumed)
    this.#db = db
    this.#clock = clock
  }

  async create(upload: Pick<Upload, 'id' | 'account_id' | 'bytes' | 'request_json'>): Promise<void> {
    const now = this.#clock()
    const row = { ...upload, ...this.bytes.newRow(), file_id: null, multipart_id: null, tail: null }
    await this.#db
      .insertInto('uploads')
      .values({ ...row, created_at: now, touched_at: now })
      .execute()
  }

  /** @throws ServiceError 404, also for another account's upload, or one into a project beyond the key */
  async find(
    id: string,
    { account, limits }: Pick<Caller, 'limits'> & { account: { id: string } },
  ): Promise<FoundUpload> {
    const row = await this.#db
      .selectFrom('uploads')
      .selectAll()
      .select(sql<boolean>`leased_until < ${databaseNow}`.as('is_idle'))
      .where('id', '=', id)
      .where('account_id', '=', account.id)
      .executeTakeFirst()
    const isReached = row !== undefined && (limits === null || reaches({ limits }, projectOf(row)))
    if (!isReached) throw new ServiceError(404, 'There is no such upload. It may have expired.')
    return row
  }

  /** Number of bytes received; all of them once the upload is an order. */
  async receivedBytes(upload: Upload): Promise<number> {
    return upload.file_id === null ? await this.bytes.received(upload) : upload.bytes
  }

  /** See `UploadBytes.append`. */
  async append(source: Readable, upload: Upload, offset: number, signal: AbortSignal): Promise<number> {
    UploadStore.#receiving.add(upload.id)
    try {
      return await this.bytes.append(source, upload, offset, signal)
    } finally {
      UploadStore.#receiving.delete(upload.id)
    }
  }

  /** See `UploadBytes.stage`. */
  stage(upload: Upload): Promise<StagedBlob> {
    return this.bytes.stage(upload)
  }

  /** Records the resulting file and frees the bytes; the row stays for a client that missed the response. */
  async markOrdered(id: string, fileId: string): Promise<void> {
    const ordered = this.#db.updateTable('uploads').set({ file_id: fileId, tail: null }).where('id', '=', id)
    for (const upload of await ordered.returningAll().execute()) await this.bytes.forget(upload)
  }

  /** Removes an upload and its bytes; the recording of a file it has become in the meantime stays. */
  async remove(id: string): Promise<void> {
    const removed = this.#db.deleteFrom('uploads').where('id', '=', id)
    for (const upload of await removed.returningAll().execute()) await this.bytes.forget(upload)
  }

  /** Removes uploads idle since `time` and not receiving now, and the rows of those that became orders before it. */
  async removeUntouchedSince(time: number): Promise<void> {
    const old = await this.#db.selectFrom('uploads').select('id').where('touched_at', '<', time).execute()
    for (const { id } of old.filter(({ id }) => !UploadStore.#receiving.has(id))) {
      const removed = this.#db.deleteFrom('uploads').where('id', '=', id).where('touched_at', '<', time)
      const rows = await removed.where('leased_until', '<', databaseNow).returningAll().execute()
      for (const upload of rows) await this.bytes.forget(upload)
    }
  }
}

/** Removes uploads idle for 24 hours, and records of completed ones, which nobody needs any longer. */
export async function expireUploads(platform: Platform): Promise<void> {
  await new UploadStore(platform).removeUntouchedSince(platform.clock() - unfinishedUploadRetentionMs)
}

/** Removes bytes left by a crash or a restore. @param changedBefore see `removeOrphans` */
export async function removeUnknownUploads(platform: Platform, changedBefore: number): Promise<void> {
  await new UploadStore(platform).bytes.removeUnknown(changedBefore)
}
