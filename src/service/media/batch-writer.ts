import type { FileHandle } from 'node:fs/promises'
import { asWriteError } from './file-errors.ts'

/** one system call writes at least this much, except the last */
const batchBytes = 1_048_576
/** a drip of tiny chunks is written before their objects outweigh their bytes */
const batchChunks = 256
/** how much may wait in memory, beside the batch being written, before `append` holds its caller back */
const highWaterBytes = 3 * batchBytes
const highWaterChunks = 4 * batchChunks

/** so much is left to the system's cache before the disk is told to begin */
const flushAheadBytes = 256 * batchBytes

/**
 * Writes a recording to an open file from where it stands. Chunks are gathered and written a megabyte at a time, one
 * write under way while the next gathers; the disk begins long before the end, so that the last flush has little to do.
 */
export class BatchWriter {
  readonly #file: FileHandle
  #bytes: number
  #gathered: Uint8Array[] = []
  #gatheredBytes = 0
  #writing: Promise<void> | null = null
  #failure: unknown = null
  #flushedBytes = 0
  #isFlushing = false

  /** @param bytes that the file has already */
  constructor(file: FileHandle, bytes: number) {
    this.#file = file
    this.#bytes = bytes
  }

  /** what the file has once everything appended is written */
  get bytes(): number {
    return this.#bytes
  }

  /** Appends, in order; resolves when it may go on (back-pressure). @throws ServiceError 507 on a full disk */
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

  /** Begins to write what is gathered though it is less than a batch: for bytes that come slowly. */
  write(): void {
    if (this.#gathered.length > 0 && this.#failure === null) this.#writing ??= this.#writeGathered()
  }

  /** Resolves once everything appended is with the system. @throws ServiceError 507 on a full disk */
  async drain(): Promise<void> {
    while (this.#failure === null && (this.#writing !== null || this.#gathered.length > 0)) {
      this.#writing ??= this.#writeGathered()
      await this.#writing
    }
    if (this.#failure !== null) throw this.#failure
  }

  /** Forgets what is not written; resolves once nothing is being written any more. */
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
