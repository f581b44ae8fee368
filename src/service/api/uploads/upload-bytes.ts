import type { Readable } from 'node:stream'
import type { Upload } from '../../platform/db/schema.ts'
import type { StagedBlob } from '../../platform/media/blob-store.ts'

/** A row as it was found, and whether nobody held the upload then. */
export type FoundUpload = Upload & { is_idle: boolean }

/** Where the bytes of unfinished uploads are. */
export interface UploadBytes {
  /** Makes what it needs on this machine. */
  open(): Promise<void>
  /** What the row of a new upload says of its bytes. */
  newRow(): Pick<Upload, 'object_id'>
  /** @throws ServiceError 507 if so many have no room */
  requireRoom(bytes: number): Promise<void>
  /** How many are stored. */
  received(upload: Upload): Promise<number>
  /** True if the row holds the current offset, and no request is about to append. */
  offsetIsInRow(upload: FoundUpload): boolean
  /**
   * Appends a stream. What arrived is stored however it ends, so that the client can resume.
   * @param upload held by the caller
   * @param offset where they end now. @returns where they end then
   * @param signal aborted with a ServiceError where the service ends
   * @throws ServiceError 400 if the body aborts, 413 if it is too long, 503, 507
   */
  append(source: Readable, upload: Upload, offset: number, signal: AbortSignal): Promise<number>
  /** All of them, for an order; they stay until `forget`. @throws ServiceError 404 if they are gone */
  stage(upload: Upload): Promise<StagedBlob>
  /** Frees them, once the row says what the upload became, or is gone; the recording of that file stays. */
  forget(upload: Upload): Promise<void>
  /** Removes those of no upload, and of orders. @param changedBefore (milliseconds since 1970) what has changed since stays: other nodes may be at work */
  removeUnknown(changedBefore: number): Promise<void>
}
