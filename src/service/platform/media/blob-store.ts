import type { Readable } from 'node:stream'
import type { MediaSource } from './media-source.ts'

/** The blobs of a file, besides its row; `listen` is its listening copy. */
export type BlobPart =
  | 'media'
  | 'listen'
  | 'words.json'
  | 'peaks'
  | 'shots'
  | `rendered/${string}`
  | `sound/${number}`
  | `tail/${string}`
  | `video/${string}`
  | `slices/${string}`
  | `export/${'texts' | 'tail' | 'plan'}`

/** What is removed while its file stays: a folder of parts, or any but the words and what is made of them. */
type Removable =
  | 'sound'
  | 'tail'
  | 'video'
  | 'slices'
  | Exclude<BlobPart, 'words.json' | `rendered/${string}` | `sound/${number}`>

/** Bytes of files. A part is whole or absent. Ids are minted by the service. */
export interface BlobStore {
  /** Begins a recording whose order does not exist yet; an orphan, and removed, unless it is kept. */
  stage(): Promise<StagedBlob>
  /** Storage of resumable recordings, which span several requests. */
  readonly resumed: AdoptedFiles | PartedBlobs
  /** Writes a part, whole or not at all. @throws ServiceError 507 on a full disk */
  write(fileId: string, part: BlobPart, content: Readable | Uint8Array | string): Promise<void>
  /** Moves a complete file of this machine there, flushed; on failure it stays. @throws ServiceError 507 */
  place(fileId: string, part: BlobPart, path: string): Promise<void>
  /** `range` in bytes, both ends inclusive. The stream fails with ENOENT if the part is absent. */
  read(fileId: string, part: BlobPart, range?: { start: number; end: number }): Readable
  /** Size in bytes, or null if the part is absent. */
  size(fileId: string, part: BlobPart): Promise<number | null>
  /** The local path of a part, or null if blobs are not on a disk of this machine. */
  localPath(fileId: string, part: BlobPart): string | null
  /**
   * Runs `work` with a source that ffmpeg and ffprobe can read; a lost recording reads as empty.
   * @throws ServiceError 503, overriding the result of `work`, if bytes could not be fetched: ffmpeg takes a cut
   *   connection for the end of the recording
   */
  withMedia<Result>(fileId: string, work: (source: MediaSource) => Promise<Result>): Promise<Result>
  /** A unique name for a temporary file on this machine; one left by a crash is removed. */
  temporary(): string
  /** Removes every part of a file, only one, or those in a folder; does nothing if there is none. */
  remove(fileId: string, only?: Removable): Promise<void>
  /** Ids with parts but no changes since then (milliseconds since 1970), for finding orphans. */
  ids(changedBefore?: number): AsyncIterable<string>
  /**
   * Removes anything staged, or being removed, that has not changed since then.
   * @param kept ids of future files of uploads: their parts stay
   */
  removeStaged(changedBefore: number, kept: ReadonlySet<string>): Promise<void>
}

/** For uploads that are files of the data directory. */
export type AdoptedFiles = {
  /** Stages a complete file, consuming it. */
  adopt(path: string): Promise<StagedBlob>
}

/** A stored part of a recording; parts are ordered by number, possibly with gaps. */
export type StoredPart = { number: number; bytes: number; etag: string }
/** A recording that arrives in parts, through any node. */
export type BegunBlob = { fileId: string; multipartId: string; parts: readonly StoredPart[] }

/**
 * Called before a part is sent, and after, to record it; both may throw. A part sent but never recorded is sent again
 * under its number: Ceph refuses to complete an upload while it has an unnamed part.
 */
export type PartHooks = {
  onBegin(): Promise<void>
  /** @param stored bytes of all parts */
  onPart(part: StoredPart, stored: number): Promise<void>
}

export interface PartWriter {
  /** of all parts, and appended since */
  readonly bytes: number
  /** Appends; resolves once the caller may append more (back-pressure). @throws ServiceError 503, 507 */
  append(chunk: Uint8Array): Promise<void>
  /**
   * Waits for the parts in progress; call it last.
   * @param isWhole the recording is complete: the rest is its last part
   * @returns the bytes that fill no part, to append first the next time
   */
  pause(isWhole: boolean): Promise<Uint8Array>
}

/** For uploads that are parts in a bucket, under the ids of their future files. */
export interface PartedBlobs {
  /** @returns its `multipartId` */
  begin(fileId: string): Promise<string>
  resume(blob: BegunBlob, hooks: PartHooks): PartWriter
  /** Stages one whose parts are complete; may be repeated. Its order must not discard it. */
  stage(blob: BegunBlob): StagedBlob
  /** Removes the parts of an incomplete one. */
  abort(fileId: string, multipartId: string): Promise<void>
}

export type StagedContent = {
  bytes: number
  /** hex; see `contentHash` in content-hash.ts for what it covers: equal content has equal hashes */
  contentHash: string
}

/** A recording being received. Exactly one of `keep` and `discard` ends it; `discard` after `keep` does nothing. */
export interface StagedBlob {
  /** the id that its file must have, as its bytes are already stored under it; null: any */
  readonly fileId: string | null
  /** its bytes belong to an upload, whose row determines their fate: a failed order leaves them alone */
  readonly isOfUpload: boolean
  /** bytes appended so far */
  readonly bytes: number
  /**
   * Appends, in order; resolves once the caller may append more (back-pressure).
   * @throws ServiceError 507 on a full disk
   */
  append(chunk: Uint8Array): Promise<void>
  /** Writes everything. May be called again. @throws ServiceError 507 on a full disk */
  finish(): Promise<StagedContent>
  /**
   * True if a file has the same recording, byte for byte; false also if the file's is unreadable. Call after `finish`,
   * on files of equal `contentHash`.
   */
  sameAs(fileId: string): Promise<boolean>
  /** As `BlobStore.withMedia`, for this finished recording. */
  withMedia<Result>(work: (source: MediaSource) => Promise<Result>): Promise<Result>
  /** Stores it durably as the file's `media` part. */
  keep(fileId: string): Promise<void>
  discard(): Promise<void>
}

const idForm = /^[A-Za-z0-9_-]{1,128}$/
const partForm =
  /^(media|listen|words\.json|peaks|shots|rendered\/[a-z0-9][a-z0-9._-]{0,63}|sound\/\d{1,6}|tail\/\d{9}|video\/[a-z0-9]+|slices\/[a-z0-9]+\/(captions|\d{1,4})|export\/(texts|tail|plan))$/

/** @throws Error if an id could escape its directory (path traversal) */
export function requireFileId(fileId: string): string {
  if (!idForm.test(fileId)) throw new Error('not a file id')
  return fileId
}

/** @throws Error if a part could escape its directory (path traversal) */
export function requirePart(part: BlobPart): string {
  if (!partForm.test(part)) throw new Error('not a part of a file')
  return part
}

/** The storage of a database's recordings. A mark there equals the one in the database. */
export type RecordingsPlace = {
  /** display name for operators */
  name: string
  /** null if there is none yet */
  readMark(): Promise<string | null>
  writeMark(value: string): Promise<void>
  hasRecordings(): Promise<boolean>
}
