import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ownErrors } from '../../own-errors.ts'
import { StorageAwayError } from '../file-errors.ts'

/** A wait for bytes that may have made a tool time out. */
const longWaitMs = 10_000

type Read = (range: { start: number }) => AsyncIterable<Uint8Array>

/** One recording that ffmpeg or ffprobe may read. */
class Offer {
  readonly bytes: number
  readonly #read: Read
  #failure: StorageAwayError | null = null
  #longestWaitMs = 0
  #waitsSince: number | null = null

  constructor(bytes: number, read: Read) {
    this.bytes = bytes
    this.#read = read
  }

  /** What kept bytes from a tool. @param hasFailed whether a tool failed, or its result was rejected */
  failureOf(hasFailed: boolean): StorageAwayError | null {
    const waitedMs = this.#waitsSince === null ? 0 : performance.now() - this.#waitsSince
    const isLong = hasFailed && Math.max(waitedMs, this.#longestWaitMs) > longWaitMs
    return this.#failure ?? (isLong ? new StorageAwayError(new Error('The S3 server is too slow.')) : null)
  }

  async *read(start: number): AsyncGenerator<Uint8Array> {
    const chunks = this.#read({ start })[Symbol.asyncIterator]()
    try {
      for (;;) {
        this.#waitsSince = performance.now()
        const { value, done } = await chunks.next()
        this.#longestWaitMs = Math.max(this.#longestWaitMs, performance.now() - this.#waitsSince)
        this.#waitsSince = null
        if (done === true) return
        yield value
      }
    } catch (error) {
      if (error instanceof StorageAwayError) this.#failure = error
      throw error
    } finally {
      await chunks.return?.()
    }
  }
}

/**
 * Serves objects to ffmpeg and ffprobe over loopback. They exit successfully after a cut connection; this server knows
 * about cuts, since it does the fetching, the retries and the cutting.
 */
export class RangeServer {
  readonly #offers = new Map<string, Offer>()
  #address: Promise<string> | null = null

  /**
   * Serves an object while `work` runs. @throws StorageAwayError, whatever the result of `work`, if bytes were missing
   */
  async offer<Result>(bytes: number, read: Read, work: (url: string) => Promise<Result>): Promise<Result> {
    this.#address ??= this.#listen()
    const name = randomUUID()
    const offer = new Offer(bytes, read)
    this.#offers.set(name, offer)
    try {
      const result = await work(`${await this.#address}/${name}`).catch((error: unknown) => {
        throw offer.failureOf(true) ?? error
      })
      const failure = offer.failureOf(false)
      if (failure !== null) throw failure
      return result
    } finally {
      this.#offers.delete(name)
    }
  }

  async #listen(): Promise<string> {
    const server: Server = createServer((request, response) => {
      ownErrors(
        () => this.#answer(request, response),
        () => response.destroy(),
      )()
    }).unref()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
    await promise
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const offer = this.#offers.get((request.url ?? '').slice(1))
    if (offer === undefined) return void response.writeHead(404).end()
    const { bytes } = offer
    const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    if (start >= bytes) return void response.writeHead(416, { 'content-range': `bytes */${bytes}` }).end()
    response.writeHead(206, {
      'accept-ranges': 'bytes',
      'content-length': bytes - start,
      'content-range': `bytes ${start}-${bytes - 1}/${bytes}`,
    })
    // A tool that has read enough closes the connection.
    await pipeline(Readable.from(offer.read(start)), response).catch(() => undefined)
  }
}
