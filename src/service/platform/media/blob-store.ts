import type { Readable } from 'node:stream'
import type { MediaSource } from './media-source.ts'

/** The parts of a file, beside its row. */
export type BlobPart = 'media' | 'words.json' | 'peaks' | `rendered/${string}` | `sound/${number}` | `tail/${string}`

/** Bytes of files. A part is whole or absent. Ids are minted by the service. */
export interface BlobStore {
  /** Begins a recording whose order does not exist yet; removed as left over unless it is kept. */
  stage(): Promise<StagedBlob>
  /** How recordings come over several requests. */
  readonly resumed: AdoptedFiles | PartedBlobs
  /** Writes a part, whole or not at all. @throws ServiceError 507 on a full disk */
  write(fileId: string, part: BlobPart, content: Readable | Uint8Array | string): Promise<void>
  /** `range` in bytes, both ends inclusive. The stream fails with ENOENT where the part is absent. */
  read(fileId: string, part: BlobPart, range?: { start: number; end: number }): Readable
  /** Size in bytes, or null if the part is absent. */
  size(fileId: string, part: BlobPart): Promise<number | null>
  /** A path of a part, or null where blobs are not on a disk of this machine. */
  localPath(fileId: string, part: BlobPart): string | null
  /**
   * Runs `work` with what ffmpeg and ffprobe can read a recording from; one that is lost is read as one without content.
   * @throws ServiceError 503, in place of what `work` found, if bytes could not be fetched: ffmpeg takes a cut
   * connection for the end of the recording
   */
  withMedia<Result>(fileId: string, work: (source: MediaSource) => Promise<Result>): Promise<Result>
  /** A name for a file of this machine that nobody else needs; what a crash leaves of it is removed. */
  temporary(): string
  /** Removes every part of a file, or one alone, or those in a folder; does nothing if there is none. */
  remove(fileId: string, only?: 'sound' | 'media' | 'peaks' | 'tail' | `tail/${string}`): Promise<void>
  /** Ids that have parts and have not changed since then (milliseconds since 1970), for finding orphans. */
  ids(changedBefore?: number): AsyncIterable<string>
  /**
   * Removes what was staged, or was being removed, and has not changed since then.
   * @param kept ids of files that uploads are to become: their parts stay
   */
  removeStaged(changedBefore: number, kept: ReadonlySet<string>): Promise<void>
}

/** They are files of the data directory. */
export type AdoptedFiles = {
  /** Stages a complete file, which it uses up. */
  adopt(path: string): Promise<StagedBlob>
}

/** A part of a recording that is stored; parts stand in the order of their numbers, not without gaps. */
export type StoredPart = { number: number; bytes: number; etag: string }
/** A recording that comes in parts, which any node may send. */
export type BegunBlob = { fileId: string; multipartId: string; parts: readonly StoredPart[] }

/**
 * Whoever sends a part asks before, and notes it afterwards; both may throw. One that was sent and never noted is sent
 * again under its number: Ceph completes nothing while it has a part that is not named.
 */
export type PartHooks = {
  onBegin(): Promise<void>
  /** @param stored bytes of all parts */
  onPart(part: StoredPart, stored: number): Promise<void>
}

export interface PartWriter {
  /** of all parts, and appended since */
  readonly bytes: number
  /** Appends; resolves once the caller may append more. @throws ServiceError 503, 507 */
  append(chunk: Uint8Array): Promise<void>
  /**
   * Waits for the parts under way; call it last.
   * @param isWhole the recording is complete: the rest is its last part
   * @returns what fills no part, to be appended first the next time
   */
  pause(isWhole: boolean): Promise<Uint8Array>
}

/** They are parts in a bucket under the ids of the files that they are to become. */
export interface PartedBlobs {
  /** @returns its `multipartId` */
  begin(fileId: string): Promise<string>
  goOn(blob: BegunBlob, hooks: PartHooks): PartWriter
  /** One whose parts are complete, however often it is asked for. It is not the order's to discard. */
  stage(blob: BegunBlob): StagedBlob
  /** Removes the parts of one that is not complete. */
  abort(fileId: string, multipartId: string): Promise<void>
}

export type StagedContent = {
  bytes: number
  /** hex; see `contentHash` in content-hash.ts for what it covers: equal content has equal hashes */
  contentHash: string
}

/**
 * A recording that is being received. Exactly one of `keep` and `discard` ends it; `discard` after `keep` does nothing.
 */
export interface StagedBlob {
  /** the id that its file must have, as its bytes are stored under it already; null: any */
  readonly fileId: string | null
  /** its bytes are an upload's, whose row says what becomes of them: an order that fails leaves them alone */
  readonly isOfUpload: boolean
  /** appended so far */
  readonly bytes: number
  /**
   * Appends, in order; resolves once the caller may append more (back-pressure).
   * @throws ServiceError 507 on a full disk
   */
  append(chunk: Uint8Array): Promise<void>
  /** Writes everything. May be called again. @throws ServiceError 507 on a full disk */
  finish(): Promise<StagedContent>
  /**
   * True if a file has the same recording, byte for byte; false, too, where the file's cannot be read. Call after
   * `finish`, on files of equal `contentHash`.
   */
  sameAs(fileId: string): Promise<boolean>
  /** As `BlobStore.withMedia`, with this recording, which is finished. */
  withMedia<Result>(work: (source: MediaSource) => Promise<Result>): Promise<Result>
  /** Stores it safely as the file's `media` part. */
  keep(fileId: string): Promise<void>
  discard(): Promise<void>
}

const idForm = /^[A-Za-z0-9_-]{1,128}$/
const partForm = /^(media|words\.json|peaks|rendered\/[a-z0-9][a-z0-9._-]{0,63}|sound\/\d{1,6}|tail\/\d{9})$/

/** @throws Error if an id could leave its place */
export function requireFileId(fileId: string): string {
  if (!idForm.test(fileId)) throw new Error('not a file id')
  return fileId
}

/** @throws Error if a part could leave its place */
export function requirePart(part: BlobPart): string {
  if (!partForm.test(part)) throw new Error('not a part of a file')
  return part
}
