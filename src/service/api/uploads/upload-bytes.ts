import type { Readable } from 'node:stream'
import type { Upload } from '../../platform/db/schema.ts'
import type { StagedBlob } from '../../platform/media/blob-store.ts'

/** A row as read, and whether nobody held the upload then. */
export type FoundUpload = Upload & { is_idle: boolean }

/** Storage for the bytes of unfinished uploads. */
export interface UploadBytes {
  /** Creates required directories on this machine. */
  open(): Promise<void>
  /** Columns of a new upload's row. */
  newRow(): Pick<Upload, 'object_id'>
  /** @throws ServiceError 507 if there is no room for this many */
  requireRoom(bytes: number): Promise<void>
  /** Number of bytes stored. */
  received(upload: Upload): Promise<number>
  /** True if the row holds the current offset, and no request is about to append. */
  offsetIsInRow(upload: FoundUpload): boolean
  /**
   * Appends a stream. Whatever arrived is stored even on failure, so that the client can resume.
   * @param upload held by the caller
   * @param offset their current end
   * @returns their new end
   * @param signal aborted with a ServiceError on shutdown
   * @throws ServiceError 400 if the body aborts, 413 if it is too long, 503, 507
   */
  append(source: Readable, upload: Upload, offset: number, signal: AbortSignal): Promise<number>
  /** Stages all bytes for an order; they stay until `forget`. @throws ServiceError 404 if they are gone */
  stage(upload: Upload): Promise<StagedBlob>
  /** Frees the bytes once the row names the resulting file or is gone; that file's recording stays. */
  forget(upload: Upload): Promise<void>
  /**
   * Removes orphaned bytes and those of finished orders.
   * @param changedBefore (milliseconds since 1970) later changes stay: other nodes may be at work
   */
  removeUnknown(changedBefore: number): Promise<void>
}
