import type { Readable } from 'node:stream'

/** The parts of a file, beside its row. `sound` is there only while it is recognised (decoded-sound.ts). */
export type BlobPart = 'media' | 'words.json' | 'peaks' | 'sound' | 'sound.unfinished' | `rendered/${string}`

/** Bytes of files. A part is whole or absent. Ids are minted by the service. */
export interface BlobStore {
  /** Begins a recording whose order does not exist yet; removed as left over unless it is kept. */
  stage(): Promise<StagedBlob>
  /** Stages a complete file on the same disk (a resumed upload) by moving it. */
  adopt(path: string): Promise<StagedBlob>
  /** Writes a part: to a temporary file, flushed, renamed. @throws ServiceError 507 on a full disk */
  write(fileId: string, part: BlobPart, content: Readable | Uint8Array | string): Promise<void>
  /** `range` in bytes, both ends inclusive. The stream fails with ENOENT where the part is absent. */
  read(fileId: string, part: BlobPart, range?: { start: number; end: number }): Readable
  /** Size in bytes, or null where the part is absent. */
  size(fileId: string, part: BlobPart): Promise<number | null>
  /** A path that ffmpeg and ffprobe can open. */
  localPath(fileId: string, part: BlobPart): string
  /** Removes every part of a file; does nothing where there is none. */
  remove(fileId: string): Promise<void>
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
  readonly path: string
  /** appended so far */
  readonly bytes: number
  /**
   * Appends, in order; resolves once the caller may append more (back-pressure).
   * @throws ServiceError 507 on a full disk
   */
  append(chunk: Uint8Array): Promise<void>
  /** Writes everything: `path` is complete then. May be called again. @throws ServiceError 507 on a full disk */
  finish(): Promise<StagedContent>
  /**
   * True where a file has the same recording, byte for byte; false, too, where the file's cannot be read. Call after
   * `finish`, on files of equal `contentHash`.
   */
  sameAs(fileId: string): Promise<boolean>
  /** Flushes to disk and renames to the file's `media` part. */
  keep(fileId: string): Promise<void>
  discard(): Promise<void>
}
