import { setTimeout as wait } from 'node:timers/promises'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import { asStorageError, type Bucket, isNoSuchKey, isRefusal, sentByS3 } from './bucket.ts'

/** Idle timeout: a stream without bytes for this long counts as dead. */
const silentMs = 20_000
/** Limit of consecutive failures without a byte in between, with backoff of some 15 seconds in total. */
const mostFailures = 6
const firstPauseMs = 250

/** Bytes of an object, `end` inclusive. */
export type ObjectRange = { start: number; end?: number | undefined }

/** An object read sequentially, over as many connections as it takes. */
class ObjectReading {
  readonly #bucket: Bucket
  readonly #key: string
  readonly #end: number | undefined
  #at: number
  #until = Number.POSITIVE_INFINITY
  #etag: string | undefined
  #chunks: AsyncIterator<Uint8Array> | null = null
  #stop = new AbortController()

  constructor(bucket: Bucket, key: string, { start, end }: ObjectRange) {
    this.#bucket = bucket
    this.#key = key
    this.#at = start
    this.#end = end
  }

  /** The next bytes, null at the end. */
  async next(): Promise<Uint8Array | null> {
    for (let failures = 0; this.#at < this.#until; failures += 1) {
      try {
        this.#chunks ??= await this.#open()
        const { value, done } = await this.#untilSilent(this.#chunks.next())
        if (done !== true) {
          this.#at += value.byteLength
          return value
        }
        if (this.#at < this.#until) throw new Error('The answer broke off.')
      } catch (error) {
        this.close()
        if (isNoSuchKey(error)) throw absent()
        if (failures >= mostFailures || isRefusal(error)) throw asStorageError(error, this.#bucket)
        await wait(firstPauseMs * 2 ** failures)
      }
    }
    return null
  }

  close(): void {
    this.#stop.abort()
    this.#stop = new AbortController()
    this.#chunks = null
  }

  async #open(): Promise<AsyncIterator<Uint8Array>> {
    const { client, bucket: Bucket } = this.#bucket
    const isWhole = this.#at === 0 && this.#end === undefined
    const Range = isWhole ? undefined : `bytes=${this.#at}-${this.#end ?? ''}`
    const asked = new GetObjectCommand({ Bucket, Key: this.#key, Range, IfMatch: this.#etag })
    const { Body, ContentLength, ContentRange, ETag } = await client.send(asked, { abortSignal: this.#stop.signal })
    // A response with another page, or all from the beginning, is not a part of the recording.
    if (!isWhole) sentByS3(ContentRange)
    this.#etag = sentByS3(ETag)
    this.#until = this.#at + (ContentLength ?? 0)
    return (Body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  }

  async #untilSilent<Result>(next: Promise<Result>): Promise<Result> {
    const { promise: silence, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error('The answer stopped.')), silentMs)
    try {
      return await Promise.race([next, silence])
    } finally {
      clearTimeout(timer)
      next.catch(() => undefined)
    }
  }
}

function absent(): Error {
  return Object.assign(new Error('There is no such object.'), { code: 'ENOENT' })
}

/**
 * Reads an object. A broken connection is replaced by one that continues at the same byte, so that the end of the
 * stream is the end of the object.
 * @throws Error with code ENOENT if there is no such object, StorageAwayError if its bytes are unavailable
 */
export async function* readObject(
  bucket: Bucket,
  key: string,
  range: ObjectRange = { start: 0 },
): AsyncGenerator<Uint8Array> {
  const reading = new ObjectReading(bucket, key, range)
  try {
    for (let chunk = await reading.next(); chunk !== null; chunk = await reading.next()) yield chunk
  } finally {
    reading.close()
  }
}
