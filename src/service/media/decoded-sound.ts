import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore } from './blob-store.ts'
import { type DecodeOutcome, decode, sampleRate } from './decode.ts'
import { isAbsent } from './file-errors.ts'

const bytesPerMs = (2 * sampleRate) / 1_000
const readBytes = 262_144

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

/** Removes the decoded sound of a file that needs no more recognition. */
export async function removeDecodedSound(blobs: BlobStore, fileId: string): Promise<void> {
  for (const name of ['sound', 'sound.unfinished']) await rm(join(blobs.scratch(fileId), name), { force: true })
}

/**
 * The sound of a recording as PCM on disk (115 MB an hour) while it is being recognised: decoded once, as fast as
 * ffmpeg can, and read from any position, during decoding and after a restart. Seeking in the recording itself would be
 * exact in few containers only. An interrupted decoding starts over; it soon passes the position that recognition had
 * reached.
 */
export class DecodedSound {
  readonly #file: FileHandle
  readonly #stop = new AbortController()
  #outcome: Promise<DecodeOutcome>
  #bytes = 0
  #isEnded = false
  /** settled when there is more to read, or nothing more will come */
  #more = Promise.withResolvers<void>()

  /** Opens what is decoded already, else begins to decode. `signal` ends the decoding, and with it the reading. */
  static async open(blobs: BlobStore, fileId: string, signal: AbortSignal): Promise<DecodedSound> {
    const directory = blobs.scratch(fileId)
    const bytes = await sizeOf(join(directory, 'sound'))
    if (bytes === null) {
      const path = join(directory, 'sound.unfinished')
      await mkdir(directory, { recursive: true }) // a lost recording is reported like one without sound
      // A file of its own: a process that stood still while another took its job over may still write to the first one.
      await rm(path, { force: true })
      const sound = new DecodedSound(await open(path, 'w+', 0o600))
      sound.#outcome = sound.#decode(blobs, fileId, AbortSignal.any([signal, sound.#stop.signal]))
      sound.#outcome.catch(() => {}) // `read` and `outcome` throw it
      return sound
    }
    const sound = new DecodedSound(await open(join(directory, 'sound'), 'r'))
    sound.#advance(bytes, true)
    sound.#outcome = Promise.resolve({ decodedMs: Math.floor(bytes / bytesPerMs), ok: true, missing: false })
    return sound
  }

  private constructor(file: FileHandle) {
    this.#file = file
    this.#outcome = Promise.reject(new Error('Nothing is decoded yet.'))
    this.#outcome.catch(() => {})
  }

  /** How the decoding went, once it has ended. @throws what `read` throws */
  get outcome(): Promise<DecodeOutcome> {
    return this.#outcome
  }

  /**
   * 16 kHz mono samples from a position on, as they are decoded.
   * @throws AbortError where the decoding was stopped; ENOSPC where the disk is full; ServiceError 503 where the
   * recording could not be fetched
   */
  async *read(fromMs: number): AsyncGenerator<Int16Array> {
    for (let at = fromMs * bytesPerMs; ; ) {
      const { promise: more } = this.#more
      const length = Math.min(readBytes, this.#bytes - at) & ~1
      if (length > 0) {
        const samples = new Int16Array(length / 2)
        const { bytesRead } = await this.#file.read(samples, 0, length, at)
        if (bytesRead !== length) throw new Error('The decoded sound was cut short.')
        at += length
        yield samples
      } else if (this.#isEnded) break
      else await more
    }
    await this.#outcome
  }

  /** Stops decoding and closes the file. */
  async close(): Promise<void> {
    this.#stop.abort(new DOMException('The decoded sound was closed.', 'AbortError'))
    await this.#outcome.catch(() => {})
    await this.#file.close()
  }

  #advance(bytes: number, isEnded: boolean): void {
    this.#bytes = bytes
    this.#isEnded = isEnded
    this.#more.resolve()
    this.#more = Promise.withResolvers()
  }

  async #decode(blobs: BlobStore, fileId: string, signal: AbortSignal): Promise<DecodeOutcome> {
    try {
      const ended = await blobs.withMedia(fileId, async (source) => {
        const { pcm, outcome } = decode(source, { signal })
        for await (const samples of pcm) {
          // All of it: a single write to a disk that is nearly full ends early, without an error.
          await this.#file.appendFile(samples)
          this.#advance(this.#bytes + samples.byteLength, false)
        }
        return await outcome
      })
      await this.#file.datasync()
      // Whole or absent: what a restart finds under this name is complete.
      const directory = blobs.scratch(fileId)
      if (!ended.missing) await rename(join(directory, 'sound.unfinished'), join(directory, 'sound'))
      return ended
    } finally {
      this.#advance(this.#bytes, true)
    }
  }
}
