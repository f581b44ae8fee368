import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Page, Route } from '@playwright/test'

/** A TCP proxy between browser and service that a test can throttle, cut and restore. */
export class BadNetwork {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #target: URL
  #cutAfterBytes = Number.POSITIVE_INFINITY
  #upBytes = 0
  #isDown = false
  #bytesPerSecond = Number.POSITIVE_INFINITY
  /** response to uploads instead of the service's, like a proxy with its own limits */
  #answer: string | null = null
  #losesAnswers = false

  private constructor(target: URL) {
    this.#target = target
    this.#server = createServer({ noDelay: true }, (socket) => this.#join(socket))
  }

  static async to(target: URL): Promise<BadNetwork> {
    const network = new BadNetwork(target)
    network.#server.listen(0, '127.0.0.1')
    await once(network.#server, 'listening')
    return network
  }

  get url(): URL {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The proxy is closed.')
    return new URL(`http://127.0.0.1:${address.port}/`)
  }

  /** Throttles the upstream to this many bytes per second. */
  slowTo(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond
  }

  /** Cuts the connection after this many more bytes upstream. */
  cutAfter(bytes: number): void {
    this.#upBytes = 0
    this.#cutAfterBytes = bytes
  }

  /** Aborts all connections and refuses new ones. */
  cut(): void {
    this.#isDown = true
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  /** Restores normal operation at full speed. */
  mend(): void {
    this.#isDown = false
    this.#cutAfterBytes = Number.POSITIVE_INFINITY
    this.#bytesPerSecond = Number.POSITIVE_INFINITY
    this.#answer = null
    this.#losesAnswers = false
  }

  /** Responds to uploads with this status until mended, instead of the service. */
  answerUploads(status: number, headers: readonly string[] = []): void {
    const body = JSON.stringify({ error: 'Refused on the way.' })
    const head = [
      `HTTP/1.1 ${status} X`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      ...headers,
    ]
    this.#answer = [...head, 'Connection: close', '', body].join('\r\n')
  }

  /**
   * Forwards uploads completely and aborts instead of forwarding the response, until mended: Chromium itself retries a
   * request if a reused connection breaks, so losing a single response would have no effect.
   */
  loseAnswers(): void {
    this.#losesAnswers = true
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(client: Socket): void {
    if (this.#isDown) {
      client.resetAndDestroy()
      return
    }
    const service = connect(Number(this.#target.port), this.#target.hostname)
    const ends = [client, service] as const
    for (const [index, end] of ends.entries()) {
      this.#sockets.add(end)
      end.on('error', () => undefined)
      end.on('close', () => {
        this.#sockets.delete(end)
        ends[1 - index]?.destroy()
      })
    }
    service.on('data', (chunk: Buffer) => {
      if (this.#losesAnswers && chunk.subarray(0, 12).toString('latin1') === 'HTTP/1.1 201') {
        client.resetAndDestroy()
      } else if (!client.destroyed && !client.write(chunk)) {
        service.pause()
        client.once('drain', () => service.resume())
      }
    })
    service.on('end', () => client.end())
    client.on('data', (chunk: Buffer) => this.#up(client, service, chunk))
  }

  #up(client: Socket, service: Socket, chunk: Buffer): void {
    if (this.#answer !== null && chunk.subarray(0, 5).toString('latin1') === 'POST ') {
      client.end(this.#answer)
      return
    }
    this.#upBytes += chunk.byteLength
    if (this.#upBytes >= this.#cutAfterBytes) {
      this.cut()
      return
    }
    const goesOn = service.write(chunk)
    const waitMs = (chunk.byteLength / this.#bytesPerSecond) * 1_000
    if (waitMs > 0 || !goesOn) {
      client.pause()
      const resume = () => client.resume()
      if (goesOn) setTimeout(resume, waitMs)
      else service.once('drain', () => setTimeout(resume, waitMs))
    }
  }
}

/** The next request to this URL leaves the page a second late. */
export async function sendOneLate(page: Page, url: string): Promise<void> {
  // A page that is gone by then sends nothing.
  const send = (route: Route) => void route.continue().catch(() => undefined)
  await page.route(url, async (route) => setTimeout(() => send(route), 1_000), { times: 1 })
}
