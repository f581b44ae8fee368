import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The COMMIT message of `pg`: a simple query, its length, the text. */
const commit = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1')

/** A proxy for PostgreSQL that can cut a connection between a commit and its response. */
export class CuttingProxy {
  cuts = 0
  /** cuts the connection of the next COMMIT, then resets to false */
  cutsNext = false
  #socketPath = ''
  readonly #server = createServer((client) => this.#serve(client))

  static async listen(): Promise<CuttingProxy> {
    const proxy = new CuttingProxy()
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening')
    return proxy
  }

  /** A test cluster's URL through this proxy. */
  before(url: string): string {
    const directory = /[?&]host=([^&]+)&/.exec(url)?.[1] ?? ''
    this.#socketPath = `${directory}/.s.PGSQL.5432`
    const { port } = this.#server.address() as AddressInfo
    return url.replace(`@/postgres?host=${directory}&`, `@127.0.0.1:${port}/postgres?`)
  }

  #serve(client: Socket): void {
    const server = connect(this.#socketPath)
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
    let isCut = false
    client.on('data', (bytes) => {
      if (this.cutsNext && bytes.includes(commit)) {
        this.cutsNext = false
        isCut = true
      }
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (!isCut) return void client.write(bytes)
      // The response has arrived, so it is committed.
      this.cuts += 1
      end()
    })
  }

  close(): void {
    this.#server.close()
  }
}
