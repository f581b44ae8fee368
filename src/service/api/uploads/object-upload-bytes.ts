import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { UpdateObject } from 'kysely'
import type { Db } from '../../platform/db/open.ts'
import type { Database, Upload } from '../../platform/db/schema.ts'
import { transactAlone } from '../../platform/db/write-account.ts'
import { mintId } from '../../platform/ids.ts'
import type { BegunBlob, PartedBlobs, PartWriter, StagedBlob, StoredPart } from '../../platform/media/blob-store.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { pourBody } from './pour-body.ts'
import type { FoundUpload, UploadBytes } from './upload-bytes.ts'
import { uploadIsBusy } from './upload-leases.ts'

/** Columns for the stored bytes: where the last of them are, and the newest part. */
type Stored = UpdateObject<Database, 'uploads'>

/**
 * Stores each upload as a multipart object, with a separate tail blob for bytes that fill no part yet, so that any node
 * can continue. Rows record the stored bytes and are written only by the lock holder: bytes from a node that lost the
 * lock are ignored.
 */
export class ObjectUploadBytes implements UploadBytes {
  readonly #platform: Pick<Platform, 'db' | 'blobs' | 'clock' | 'log'>
  readonly #parted: PartedBlobs

  constructor(platform: Pick<Platform, 'db' | 'blobs' | 'clock' | 'log'>, parted: PartedBlobs) {
    this.#platform = platform
    this.#parted = parted
  }

  async open(): Promise<void> {}

  newRow(): Pick<Upload, 'object_id'> {
    return { object_id: mintId('f') }
  }

  async requireRoom(): Promise<void> {}

  async received({ received }: Upload): Promise<number> {
    return received
  }

  offsetIsInRow({ is_idle }: FoundUpload): boolean {
    return is_idle
  }

  async append(source: Readable, upload: Upload, offset: number, signal: AbortSignal): Promise<number> {
    const writer = await this.#resume(upload)
    try {
      await pourBody(source, writer, upload.bytes, signal)
    } catch (error) {
      // If the rest cannot be stored either, the client gets the original error, and asks for the offset.
      if (writer.bytes > offset) await this.#end(upload, writer).catch(() => undefined)
      throw error
    }
    if (writer.bytes > offset) await this.#end(upload, writer)
    return writer.bytes
  }

  async stage(upload: Upload): Promise<StagedBlob> {
    return this.#parted.stage(await this.#begunOf(upload))
  }

  async forget({ object_id: objectId, multipart_id: multipartId, file_id: fileId }: Upload): Promise<void> {
    if (objectId === null) return
    try {
      if (fileId === objectId) return await this.#platform.blobs.remove(objectId, 'tail')
      await this.#platform.blobs.remove(objectId)
      if (multipartId !== null) await this.#parted.abort(objectId, multipartId)
    } catch (error) {
      this.#platform.log.info({ err: error }, 'the bytes of an upload are removed once they are a day old')
    }
  }

  /** No-op: bytes under the ID of no file are found with all other blobs (`removeOrphans`). */
  async removeUnknown(): Promise<void> {}

  async #resume(upload: Upload): Promise<PartWriter> {
    const writer = this.#parted.resume(await this.#begunOf(upload), {
      onBegin: () => this.#note(upload, {}),
      onPart: (part, stored) => this.#notePart(upload, part, stored),
    })
    if (upload.tail !== null) {
      await writer.append(await buffer(this.#platform.blobs.read(getFileId(upload), nameTail(upload.tail))))
    }
    return writer
  }

  async #begunOf(upload: Upload): Promise<BegunBlob> {
    const fileId = getFileId(upload)
    let multipartId = upload.multipart_id
    if (multipartId === null) {
      multipartId = await this.#parted.begin(fileId)
      await this.#note(upload, { multipart_id: multipartId })
    }
    const parts = await this.#platform.db
      .selectFrom('upload_parts')
      .select(['number', 'bytes', 'etag'])
      .where('upload_id', '=', upload.id)
      .orderBy('number')
      .execute()
    return { fileId, multipartId, parts }
  }

  /** Stores bytes that fill no part: as the last part, or as a tail that replaces the previous one. */
  async #end(upload: Upload, writer: PartWriter): Promise<void> {
    const { blobs } = this.#platform
    const rest = await writer.pause(writer.bytes === upload.bytes)
    if (rest.byteLength > 0) {
      await blobs.write(getFileId(upload), nameTail(upload.fence), rest)
      await this.#note(upload, { received: writer.bytes, tail: upload.fence })
    }
    if (upload.tail !== null) await blobs.remove(getFileId(upload), nameTail(upload.tail)).catch(() => undefined)
  }

  /** All bytes up to its end are then in parts, none in the tail. */
  async #notePart(upload: Upload, part: StoredPart, received: number): Promise<void> {
    await transactAlone(this.#platform.db, `upload ${upload.id}`, async (trx) => {
      await this.#note(upload, { received, tail: null }, trx)
      await trx
        .insertInto('upload_parts')
        .values({ upload_id: upload.id, ...part })
        .execute()
    })
  }

  async #note(upload: Upload, values: Stored, db: Db = this.#platform.db): Promise<void> {
    const ours = db.updateTable('uploads').where('id', '=', upload.id).where('fence', '=', upload.fence)
    const { numUpdatedRows } = await ours.set({ ...values, touched_at: this.#platform.clock() }).executeTakeFirst()
    if (numUpdatedRows === 0n) throw uploadIsBusy()
  }
}

/** Equal length for all, so that no name is a prefix of another. */
function nameTail(fence: number): `tail/${string}` {
  return `tail/${String(fence).padStart(9, '0')}`
}

/** @throws if the upload was created while blobs were files */
function getFileId({ object_id: objectId }: Upload): string {
  if (objectId !== null) return objectId
  throw new ServiceError(404, 'The upload has expired.')
}
