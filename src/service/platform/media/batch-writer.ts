import type { FileHandle } from 'node:fs/promises'
import { asWriteError } from './file-errors.ts'

/** minimum size of a system call's write, except the last */
const batchBytes = 1_048_576
/** many tiny chunks are written before their objects take more memory than their bytes */
const batchChunks = 256
/** high-water mark of the queue, besides the batch being written, before `append` applies back-pressure */
const highWaterBytes = 3 * batchBytes
const highWaterChunks = 4 * batchChunks

/** how much may be in the system's cache before it is flushed to disk ahead of the end */
const flushAheadBytes = 256 * batchBytes

/**
 * Appends a recording to an open file. Writes chunks in batches of a megabyte, one write in progress while the next
 * batch fills; flushes long before the end, so that the last flush has little to do.
 */
export class BatchWriter {
  readonly #file: FileHandle
  #bytes: number
  /** end of the written bytes: a process that was suspended rewrites the same bytes in place, not after another's */
  #writtenBytes: number
  #gathered: Uint8Array[] = []
  #gatheredBytes = 0
  #writing: Promise<void> | null = null
  #failure: unknown = null
  #flushedBytes = 0
  #isFlushing = false

  /** @param bytes the current length of the file */
  constructor(file: FileHandle, bytes: number) {
    this.#file = file
    this.#bytes = bytes
    this.#writtenBytes = bytes
  }

  /** length of the file once everything appended is written */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Appends, in order; resolves once the caller may append more (back-pressure).
   * @throws ServiceError 507 on a full disk
   */
  async append(chunk: Uint8Array): Promise<void> {
    this.#gathered.push(chunk)
    this.#gatheredBytes += chunk.byteLength
    this.#bytes += chunk.byteLength
    if (this.#gatheredBytes >= batchBytes || this.#gathered.length >= batchChunks) {
      if (this.#writing !== null && this.#isFull()) await this.#writing
      this.#writing ??= this.#writeGathered()
    }
    if (this.#failure !== null) throw this.#failure
  }

  /** Starts writing an incomplete batch, for bytes that arrive slowly. */
  write(): void {
    if (this.#gathered.length > 0 && this.#failure === null) this.#writing ??= this.#writeGathered()
  }

  /** Resolves once everything appended has been written (not flushed). @throws ServiceError 507 on a full disk */
  async drain(): Promise<void> {
    while (this.#failure === null && (this.#writing !== null || this.#gathered.length > 0)) {
      this.#writing ??= this.#writeGathered()
      await this.#writing
    }
    if (this.#failure !== null) throw this.#failure
  }

  /** Drops everything not yet written; resolves once no write is in progress. */
  async drop(): Promise<void> {
    this.#gathered = []
    this.#gatheredBytes = 0
    await this.#writing
  }

  #isFull(): boolean {
    return this.#gatheredBytes >= highWaterBytes || this.#gathered.length >= highWaterChunks
  }

  #flushAhead(): void {
    if (this.#isFlushing || this.#bytes - this.#flushedBytes < flushAheadBytes) return
    this.#isFlushing = true
    this.#flushedBytes = this.#bytes
    this.#file.datasync().then(
      () => {
        this.#isFlushing = false
      },
      () => undefined, // The last flush fails in the same way, and throws.
    )
  }

  /** Writes batch after batch until less than one is queued. Never throws: see `#failure`. */
  async #writeGathered(): Promise<void> {
    try {
      do {
        const batch = this.#gathered
        this.#gathered = []
        this.#gatheredBytes = 0
        this.#writtenBytes = await writeAll(this.#file, batch, this.#writtenBytes)
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

/** One write of several chunks (pwritev); repeated after a partial write. @returns where it ends */
async function writeAll(file: FileHandle, chunks: Uint8Array[], startBytes: number): Promise<number> {
  let left = chunks
  let position = startBytes
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left, position)
    position += bytesWritten
    let whole = 0
    while (whole < left.length && bytesWritten >= (left[whole]?.byteLength ?? 0)) {
      bytesWritten -= left[whole]?.byteLength ?? 0
      whole += 1
    }
    left = left.slice(whole)
    const first = left[0]
    if (first !== undefined && bytesWritten > 0) left[0] = first.subarray(bytesWritten)
  }
  return position
}
