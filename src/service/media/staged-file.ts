import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { StagedBlob, StagedContent } from './blob-store.ts'
import { contentHash } from './content-hash.ts'
import { asWriteError } from './full-disk.ts'

/** one system call writes at least this much, except the last */
const batchBytes = 1_048_576
/** a drip of tiny chunks is written before their objects outweigh their bytes */
const batchChunks = 256
/** how much may wait in memory, beside the batch being written, before `append` holds its caller back */
const highWaterBytes = 3 * batchBytes
const highWaterChunks = 4 * batchChunks

/** so much is left to the system's cache before the disk is told to begin */
const flushAheadBytes = 256 * batchBytes

/** Puts a flushed file at its place; told apart from the staging so that the store alone knows its layout. */
export type KeepFile = (stagedPath: string, fileId: string) => Promise<void>

/**
 * A recording written to a file of its own. Chunks are gathered and written a megabyte at a time, one write under way
 * while the next gathers.
 */
export class StagedFile implements StagedBlob {
  readonly path: string
  #bytes: number
  readonly #file: FileHandle
  readonly #keepFile: KeepFile
  readonly #readKept: (fileId: string) => Readable
  #gathered: Uint8Array[] = []
  #gatheredBytes = 0
  #writing: Promise<void> | null = null
  #failure: unknown = null
  #flushedBytes = 0
  #isFlushing = false
  #finished: Promise<StagedContent> | null = null
  #flushed: Promise<void> | null = null
  #state: 'open' | 'kept' | 'discarded' = 'open'

  constructor(
    path: string,
    file: FileHandle,
    bytes: number,
    store: { keepFile: KeepFile; readKept: (fileId: string) => Readable },
  ) {
    this.path = path
    this.#file = file
    this.#bytes = bytes
    this.#keepFile = store.keepFile
    this.#readKept = store.readKept
  }

  get bytes(): number {
    return this.#bytes
  }

  async append(chunk: Uint8Array): Promise<void> {
    if (this.#state !== 'open' || this.#finished !== null) throw new Error('append after the end of a staged blob')
    this.#gathered.push(chunk)
    this.#gatheredBytes += chunk.byteLength
    this.#bytes += chunk.byteLength
    if (this.#gatheredBytes >= batchBytes || this.#gathered.length >= batchChunks) {
      if (this.#writing !== null && this.#isFull()) await this.#writing
      this.#writing ??= this.#writeGathered()
    }
    if (this.#failure !== null) throw this.#failure
  }

  #isFull(): boolean {
    return this.#gatheredBytes >= highWaterBytes || this.#gathered.length >= highWaterChunks
  }

  finish(): Promise<StagedContent> {
    this.#finished ??= this.#finish()
    return this.#finished
  }

  async sameAs(fileId: string): Promise<boolean> {
    const { bytes } = await this.finish()
    const mine = createReadStream(this.path, { highWaterMark: batchBytes })
    const buffers = mine.iterator()
    let rest: Uint8Array = new Uint8Array()
    let compared = 0
    try {
      for await (const other of this.#readKept(fileId) as AsyncIterable<Uint8Array>) {
        let seen = 0
        while (seen < other.byteLength) {
          if (rest.byteLength === 0) {
            const next = await buffers.next()
            if (next.done === true) return false
            rest = next.value
          }
          const length = Math.min(rest.byteLength, other.byteLength - seen)
          if (Buffer.compare(rest.subarray(0, length), other.subarray(seen, seen + length)) !== 0) return false
          rest = rest.subarray(length)
          seen += length
        }
        compared += seen
      }
      return compared === bytes
    } finally {
      mine.destroy()
    }
  }

  async keep(fileId: string): Promise<void> {
    if (this.#state !== 'open') throw new Error('a staged blob ends once')
    await this.finish()
    await this.#flushed
    this.#state = 'kept'
    await this.#file.close()
    try {
      await this.#keepFile(this.path, fileId)
    } catch (error) {
      await rm(this.path, { force: true })
      throw asWriteError(error)
    }
  }

  async discard(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'discarded'
    this.#gathered = []
    // Whatever is still under way fails or ends; its result is of no use any more.
    await Promise.allSettled([this.#writing, this.#finished, this.#flushed])
    await this.#file.close()
    await rm(this.path, { force: true })
  }

  async #finish(): Promise<StagedContent> {
    while (this.#writing !== null || this.#gathered.length > 0) {
      this.#writing ??= this.#writeGathered()
      await this.#writing
      if (this.#failure !== null) throw this.#failure
    }
    if (this.#failure !== null) throw this.#failure
    // The disk flushes while the recording is probed and priced; `keep` waits for it and throws what it throws.
    this.#flushed = this.#file.sync().catch((error: unknown) => {
      throw asWriteError(error)
    })
    this.#flushed.catch(() => undefined)
    return { bytes: this.#bytes, contentHash: await contentHash(this.#file, this.#bytes) }
  }

  /** Lets the disk begin before the end is there, so that the last flush of a large recording has little left to do. */
  #flushAhead(): void {
    if (this.#isFlushing || this.#bytes - this.#flushedBytes < flushAheadBytes) return
    this.#isFlushing = true
    this.#flushedBytes = this.#bytes
    this.#file.datasync().then(
      () => {
        this.#isFlushing = false
      },
      () => undefined, // The last flush meets the same fault and tells it.
    )
  }

  /** Writes what is gathered and what gathers meanwhile, a batch at a time. Never throws: see `#failure`. */
  async #writeGathered(): Promise<void> {
    try {
      do {
        const batch = this.#gathered
        this.#gathered = []
        this.#gatheredBytes = 0
        await writeAll(this.#file, batch)
        this.#flushAhead()
      } while (this.#gatheredBytes >= batchBytes)
    } catch (error) {
      this.#failure = asWriteError(error)
      this.#gathered = []
    } finally {
      this.#writing = null
    }
  }
}

/** One gathered write; the system may take fewer bytes than given, then the rest follows. */
async function writeAll(file: FileHandle, chunks: Uint8Array[]): Promise<void> {
  let left = chunks
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left)
    let whole = 0
    while (whole < left.length && bytesWritten >= (left[whole]?.byteLength ?? 0)) {
      bytesWritten -= left[whole]?.byteLength ?? 0
      whole += 1
    }
    left = left.slice(whole)
    const first = left[0]
    if (first !== undefined && bytesWritten > 0) left[0] = first.subarray(bytesWritten)
  }
}
