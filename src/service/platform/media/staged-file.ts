import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { hashedParts, sampleBytes } from '../../../contract/interface/content-hash.ts'
import { BatchWriter } from './batch-writer.ts'
import type { StagedBlob, StagedContent } from './blob-store.ts'
import { asWriteError } from './file-errors.ts'
import type { MediaSource } from './media-source.ts'
import { hasSameBytes } from './same-bytes.ts'

/** bytes read at a time for comparing */
const readBytes = 1_048_576

/** Renames a flushed file to its final path. A function of the store, as only that knows its layout. */
export type PlaceFile = (stagedPath: string, fileId: string) => Promise<void>

/** A recording written to a file of its own. */
export class StagedFile implements StagedBlob {
  readonly fileId = null
  readonly isOfUpload = false
  readonly path: string
  readonly #file: FileHandle
  readonly #writer: BatchWriter
  readonly #placeFile: PlaceFile
  readonly #readStored: (fileId: string) => Readable
  #finished: Promise<StagedContent> | null = null
  #flushed: Promise<void> | null = null
  #state: 'open' | 'kept' | 'discarded' = 'open'

  constructor(
    path: string,
    file: FileHandle,
    bytes: number,
    store: { placeFile: PlaceFile; readStored: (fileId: string) => Readable },
  ) {
    this.path = path
    this.#file = file
    this.#writer = new BatchWriter(file, bytes)
    this.#placeFile = store.placeFile
    this.#readStored = store.readStored
  }

  get bytes(): number {
    return this.#writer.bytes
  }

  async append(chunk: Uint8Array): Promise<void> {
    if (this.#state !== 'open' || this.#finished !== null) throw new Error('append after the end of a staged blob')
    await this.#writer.append(chunk)
  }

  finish(): Promise<StagedContent> {
    this.#finished ??= this.#finish()
    return this.#finished
  }

  async sameAs(fileId: string): Promise<boolean> {
    await this.finish()
    return await hasSameBytes(createReadStream(this.path, { highWaterMark: readBytes }), this.#readStored(fileId))
  }

  withMedia<Result>(work: (source: MediaSource) => Promise<Result>): Promise<Result> {
    return work(this.path)
  }

  async keep(fileId: string): Promise<void> {
    if (this.#state !== 'open') throw new Error('a staged blob ends once')
    await this.finish()
    await this.#flushed
    this.#state = 'kept'
    await this.#file.close()
    try {
      await this.#placeFile(this.path, fileId)
    } catch (error) {
      await rm(this.path, { force: true })
      throw asWriteError(error)
    }
  }

  async discard(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'discarded'
    // Work in progress may fail: its result is no longer needed.
    await Promise.allSettled([this.#writer.drop(), this.#finished, this.#flushed])
    await this.#file.close()
    await rm(this.path, { force: true })
  }

  async #finish(): Promise<StagedContent> {
    await this.#writer.drain()
    // Flushed while the recording is probed and priced; `keep` waits for it and throws what it throws.
    this.#flushed = this.#file.sync().catch((error: unknown) => {
      throw asWriteError(error)
    })
    this.#flushed.catch(() => undefined)
    const buffer = new Uint8Array(sampleBytes)
    const readAt = async (offset: number, length: number) => {
      const { bytesRead } = await this.#file.read(buffer, 0, length, offset)
      return buffer.subarray(0, bytesRead)
    }
    return { bytes: this.bytes, contentHash: await contentHash(readAt, this.bytes) }
  }
}

/**
 * The content hash of a recording, hex, that finds candidates for duplicates. Equal content has equal hashes;
 * candidates are then compared byte by byte (`StagedBlob.sameAs`).
 */
export async function contentHash(
  readAt: (offset: number, length: number) => Promise<Uint8Array>,
  bytes: number,
): Promise<string> {
  const { firstLine, samples } = hashedParts(bytes)
  const hash = createHash('sha256').update(firstLine)
  for (const { offset, length } of samples) hash.update(await readAt(offset, length))
  return hash.digest('hex')
}
