import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const idlePollEveryMs = 100
/** Answers that nobody reads to their end, and bodies that never end, are cut after so many times the grace. */
const cutAfterGraces = 1.6

/**
 * Tracks connections without a request yet, as browsers open them ahead of need. Node counts them as busy, so that
 * closing the server would wait a minute for each. It would also wait for connections whose last answer promised
 * keep-alive.
 * @param graceMs how long requests under way may continue
 * @returns what ends both kinds, and the others after their grace; call it when the server begins to close
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
