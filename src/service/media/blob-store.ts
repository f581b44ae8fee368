import type { Readable } from 'node:stream'

/** The parts that are kept of a file, beside its row. `sound` is there only while it is recognised (decoded-sound.ts). */
export type BlobPart = 'media' | 'words.json' | 'peaks' | 'sound' | 'sound.unfinished' | `rendered/${string}`

/** Bytes of files, whole or absent (house rule 9). Ids are minted by the service. */
export interface BlobStore {
  /** Where a recording is written before its order exists; an unfinished one is gone after a restart. */
  stage(): Promise<StagedBlob>
  /** Takes over a whole file that another writer left on the same disk (a resumed upload); it leaves its old place. */
  adopt(path: string): Promise<StagedBlob>
  /** Writes a part in one go: aside, flushed, renamed. @throws ServiceError 507 on a full disk */
  write(fileId: string, part: BlobPart, content: Readable | Uint8Array | string): Promise<void>
  /** `range` in bytes, both ends included. The stream fails with ENOENT where the part is absent. */
  read(fileId: string, part: BlobPart, range?: { start: number; end: number }): Readable
  /** Size in bytes, or null where the part is absent. */
  size(fileId: string, part: BlobPart): Promise<number | null>
  /** A path that ffmpeg and ffprobe can open. */
  localPath(fileId: string, part: BlobPart): string
  /** Removes every part of a file; quietly nothing where there is none. */
  remove(fileId: string): Promise<void>
  /** Ids that have parts, for finding orphans at start. */
  ids(): AsyncIterable<string>
}

export type StagedContent = {
  bytes: number
  /** hex; see `contentHash` in content-hash.ts for what it covers: equal content has equal hashes */
  contentHash: string
}

/** A recording on its way in. Exactly one of `keep` and `discard` ends it; `discard` after `keep` does nothing. */
export interface StagedBlob {
  readonly path: string
  /** appended so far */
  readonly bytes: number
  /** Appends, in order; resolves when it may go on (back-pressure). @throws ServiceError 507 on a full disk */
  append(chunk: Uint8Array): Promise<void>
  /** Ends the writing: `path` then holds every byte. May be called again. @throws ServiceError 507 on a full disk */
  finish(): Promise<StagedContent>
  /** True where a file's recording is, byte for byte, the same. Call after `finish`, on files of equal `contentHash`. */
  sameAs(fileId: string): Promise<boolean>
  /** Flushes to disk and renames to the file's `media` part. */
  keep(fileId: string): Promise<void>
  discard(): Promise<void>
}
