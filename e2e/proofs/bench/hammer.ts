import { once } from 'node:events'
import { connect } from 'node:net'

const connections = 16

/**
 * HEADs over plain sockets, so that the client's cost is negligible.
 * @param urls of one service, or of nodes that share the requests
 * @param requestAt the text of each request, from `from` on
 * @returns requests per second
 */
export async function hammer(
  urls: readonly URL[],
  requestAt: (index: number) => string,
  from: number,
  count: number,
): Promise<number> {
  let asked = from
  const end = from + count
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const url = urls[index % urls.length] as URL
      const socket = connect(Number(url.port), url.hostname).setNoDelay(true)
      await once(socket, 'connect')
      let rest = ''
      const next = () => (asked < end ? void socket.write(requestAt(asked++)) : void socket.end())
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        rest += chunk
        if (!rest.endsWith('\r\n\r\n')) return
        if (!rest.startsWith('HTTP/1.1 200')) throw new Error(rest.slice(0, 300))
        rest = ''
        next()
      })
      next()
      await once(socket, 'close')
    }),
  )
  return count / ((performance.now() - startedAt) / 1_000)
}
