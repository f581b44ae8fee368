import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { unlessShort } from './short.ts'

export type LineSpeed = { bitsPerSecond: number; roundTripMs: number }

/** Lighthouse's slow mobile connection. */
export const slowLine: LineSpeed = {
  bitsPerSecond: unlessShort(1_600_000, 50_000_000),
  roundTripMs: unlessShort(150, 2),
}

/** Payload of one packet. */
const pieceBytes = 1_460

/** Category of a request's bytes; words and audio grow with the recording and do not count towards a page. */
export type Kind = 'page' | 'words' | 'sound'

function kindOf(requestLine: string): Kind {
  if (/^GET \S*\/account\/media\//.test(requestLine)) return 'sound'
  return /^GET \S*\/(file\/[^/]+\.(json|txt)|words\.json)/.test(requestLine) ? 'words' : 'page'
}

type Waiting = { client: Socket; service: Socket; pieces: Buffer[]; kind: Kind }

/**
 * The line between a browser and a service: counts every downstream byte, including workers' and headers', by the
 * latest request on its connection, and can be throttled. Connections share the bandwidth packet by packet. The
 * upstream only has half a round trip of latency.
 */
export class Line {
  readonly downBytes: Record<Kind, number> = { page: 0, words: 0, sound: 0 }
  readonly #server: Server
  readonly #target: URL
  readonly #speed: LineSpeed | null
  readonly #sockets = new Set<Socket>()
  readonly #waiting: Waiting[] = []
  #isSending = false

  private constructor(target: URL, speed: LineSpeed | null) {
    this.#target = target
    this.#speed = speed
    this.#server = createServer({ noDelay: true }, (socket) => this.#join(socket))
  }

  static async to(target: URL, speed: LineSpeed | null = null): Promise<Line> {
    const line = new Line(target, speed)
    line.#server.listen(0, '127.0.0.1')
    await once(line.#server, 'listening')
    return line
  }

  /** The target's URL through this line. */
  url(path: string): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The line is closed.')
    return new URL(path, `http://127.0.0.1:${address.port}/`).href
  }

  /** Resolves once no byte of a page or of words has arrived for a second. */
  async quiet(): Promise<void> {
    const all = () => this.downBytes.page + this.downBytes.words
    for (let last = -1; last !== all(); ) {
      last = all()
      await new Promise((resolve) => setTimeout(resolve, unlessShort(1_000, 100)))
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(client: Socket): void {
    const service = connect({ port: Number(this.#target.port), host: this.#target.hostname, noDelay: true })
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      this.#sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        this.#sockets.delete(one)
        this.#later(() => other.destroy())
      })
    }
    const waiting: Waiting = { client, service, pieces: [], kind: 'page' }
    client.on('data', (chunk: Buffer) => {
      if (/^[A-Z]+ \//.test(chunk.toString('latin1', 0, 10))) waiting.kind = kindOf(chunk.toString('latin1', 0, 200))
      this.#later(() => service.write(chunk))
    })
    service.on('data', (chunk: Buffer) => this.#down(waiting, chunk))
  }

  #later(work: () => void): void {
    if (this.#speed === null) work()
    else setTimeout(work, this.#speed.roundTripMs / 2)
  }

  #down(waiting: Waiting, chunk: Buffer): void {
    this.downBytes[waiting.kind] += chunk.byteLength
    if (this.#speed === null) {
      waiting.client.write(chunk)
      return
    }
    if (waiting.pieces.length === 0) this.#waiting.push(waiting)
    for (let from = 0; from < chunk.byteLength; from += pieceBytes) {
      waiting.pieces.push(chunk.subarray(from, from + pieceBytes))
    }
    waiting.service.pause()
    if (!this.#isSending) void this.#send(this.#speed)
  }

  /** One packet of each connection in turn. */
  async #send(speed: LineSpeed): Promise<void> {
    this.#isSending = true
    let freeAt = performance.now()
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { client, service, pieces } = next
      const piece = pieces.shift() ?? Buffer.alloc(0)
      freeAt += (piece.byteLength * 8_000) / speed.bitsPerSecond
      const waitMs = freeAt - performance.now()
      if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
      this.#later(() => client.write(piece))
      if (pieces.length > 0) this.#waiting.push(next)
      else service.resume()
    }
    this.#isSending = false
  }
}
