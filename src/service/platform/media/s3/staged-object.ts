import { buffer } from 'node:stream/consumers'
import type { BlobStore, StagedBlob, StagedContent } from '../blob-store.ts'
import type { MediaSource } from '../media-source.ts'
import { hasSameBytes } from '../same-bytes.ts'
import { contentHash } from '../staged-file.ts'
import type { ObjectWriter } from './object-writer.ts'

/** A recording being written to its final place. Without a row of its id it is an orphan. */
export class StagedObject implements StagedBlob {
  readonly fileId: string
  readonly isOfUpload: boolean
  readonly #writer: ObjectWriter
  readonly #store: BlobStore
  #finished: Promise<StagedContent> | null = null
  #state: 'open' | 'kept' | 'discarded' = 'open'

  constructor(fileId: string, writer: ObjectWriter, store: BlobStore, isOfUpload = false) {
    this.fileId = fileId
    this.isOfUpload = isOfUpload
    this.#writer = writer
    this.#store = store
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

  async withMedia<Result>(work: (source: MediaSource) => Promise<Result>): Promise<Result> {
    await this.finish()
    return await this.#store.withMedia(this.fileId, work)
  }

  async sameAs(fileId: string): Promise<boolean> {
    await this.finish()
    return await hasSameBytes(this.#store.read(this.fileId, 'media'), this.#store.read(fileId, 'media'))
  }

  async keep(fileId: string): Promise<void> {
    if (this.#state !== 'open') throw new Error('a staged blob ends once')
    if (fileId !== this.fileId) throw new Error('its bytes are stored under another id')
    await this.finish()
    this.#state = 'kept'
  }

  async discard(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'discarded'
    await this.#finished?.catch(() => undefined)
    if (!this.isOfUpload) await this.#writer.remove()
  }

  async #finish(): Promise<StagedContent> {
    await this.#writer.finish()
    // Read back: the hashed, and then charged, bytes are those on the server.
    const readAt = (start: number, length: number) =>
      buffer(this.#store.read(this.fileId, 'media', { start, end: start + length - 1 }))
    return { bytes: this.bytes, contentHash: await contentHash(readAt, this.bytes) }
  }
}
