import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const idlePollEveryMs = 100
/** Unread responses and unfinished bodies are cut after this multiple of the grace period. */
const cutAfterGraces = 1.6

/**
 * Tracks connections without a request yet, which browsers preconnect. Node counts them as busy, so closing the server
 * would wait a minute for each, and also for connections whose last response promised keep-alive.
 * @param graceMs how long active requests may continue
 * @returns a function that ends both kinds, and the others after the grace period; call it when the server begins to
 * close
 */
export function trackSilentConnections(server: Server, isTls: boolean, graceMs: number): () => void {
  const silent = new Set<Socket>()
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }) => void silent.delete(socket))
  server.on('checkContinue', ({ socket }) => void silent.delete(socket))
  return () => {
    for (const socket of silent) socket.destroy()
    const idle = setInterval(() => server.closeIdleConnections(), idlePollEveryMs).unref()
    const cut = setTimeout(() => server.closeAllConnections(), graceMs * cutAfterGraces).unref()
    server.once('close', () => {
      clearInterval(idle)
      clearTimeout(cut)
    })
  }
}
