import type { Readable } from 'node:stream'
import type { MediaSource } from './media-source.ts'

/** The parts of a file, beside its row. */
export type BlobPart = 'media' | 'words.json' | 'peaks' | `rendered/${string}` | `sound/${number}`

/** Bytes of files. A part is whole or absent. Ids are minted by the service. */
export interface BlobStore {
  /** Begins a recording whose order does not exist yet; removed as left over unless it is kept. */
  stage(): Promise<StagedBlob>
  /** Stages a complete file of the data directory (a resumed upload), which it uses up. */
  adopt(path: string): Promise<StagedBlob>
  /** Writes a part, whole or not at all. @throws ServiceError 507 on a full disk */
  write(fileId: string, part: BlobPart, content: Readable | Uint8Array | string): Promise<void>
  /** `range` in bytes, both ends inclusive. The stream fails with ENOENT where the part is absent. */
  read(fileId: string, part: BlobPart, range?: { start: number; end: number }): Readable
  /** Size in bytes, or null where the part is absent. */
  size(fileId: string, part: BlobPart): Promise<number | null>
  /** A path of a part, or null where blobs are not on a disk of this machine. */
  localPath(fileId: string, part: BlobPart): string | null
  /**
   * Runs `work` with what ffmpeg and ffprobe can read a recording from; one that is lost is read as one without content.
   * @throws ServiceError 503, in place of what `work` found, where bytes could not be fetched: ffmpeg takes a cut
   * connection for the end of the recording
   */
  withMedia<Result>(fileId: string, work: (source: MediaSource) => Promise<Result>): Promise<Result>
  /** A name for a file of this machine that nobody else needs; what a crash leaves of it is removed. */
  temporary(): string
  /** Removes every part of a file, or one alone, or those in a folder; does nothing where there is none. */
  remove(fileId: string, only?: 'sound' | 'media' | 'peaks'): Promise<void>
  /** Ids that have parts and have not changed since then (milliseconds since 1970), for finding orphans. */
  ids(changedBefore?: number): AsyncIterable<string>
  /** Removes what was staged, or was being removed, and has not changed since then. */
  removeStaged(changedBefore: number): Promise<void>
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
   * True where a file has the same recording, byte for byte; false, too, where the file's cannot be read. Call after
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
const partForm = /^(media|words\.json|peaks|rendered\/[a-z0-9][a-z0-9._-]{0,63}|sound\/\d{1,6})$/

/** @throws Error where an id could leave its place */
export function requireFileId(fileId: string): string {
  if (!idForm.test(fileId)) throw new Error('not a file id')
  return fileId
}

/** @throws Error where a part could leave its place */
export function requirePart(part: BlobPart): string {
  if (!partForm.test(part)) throw new Error('not a part of a file')
  return part
}
