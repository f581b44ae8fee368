import type { FastifyReply, FastifyRequest } from 'fastify'

const drainMs = 2_000
const drainBytes = 32_000_000
const pollEveryMs = 50

/**
 * Ends a connection whose request was answered before its body had come, as an `onRequest` hook. Closing at once would
 * reset it, and a browser that is still sending would see a broken connection instead of the answer; so a little of the
 * body is let run out, then it is closed.
 */
export function endUnreadBody(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { raw } = request
  done()
  if (raw.method === 'GET' || raw.method === 'HEAD') return
  reply.raw.once('finish', () => {
    if (raw.complete) return
    const { socket } = raw
    const startBytes = socket.bytesRead
    let waitedMs = 0
    const look = setInterval(() => {
      waitedMs += pollEveryMs
      if (waitedMs >= drainMs || socket.bytesRead - startBytes >= drainBytes) raw.destroy()
    }, pollEveryMs)
    // Comes when the body has run out, and when the connection is gone.
    raw.once('close', () => clearInterval(look))
    raw.resume()
  })
}

/**
 * Lets a client that sent `Expect: 100-continue` go on. Called where the body is about to be read, so that a refusal
 * comes before it is sent at all.
 */
export function letBodyCome(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
}

/** JSON, at most a megabyte, that takes so long comes from nobody who means it. */
const smallBodyMs = 5 * 60_000

/** Lets a body come that no handler asks for itself; where the framework reads it whole, it has to end some time. */
export function letOtherBodyCome(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  if (raw.method === 'GET' || raw.method === 'HEAD') return
  letBodyCome(request, reply)
  if (request.headers['content-type']?.includes('json') !== true) return
  const giveUp = setTimeout(() => raw.destroy(), smallBodyMs).unref()
  raw.once('close', () => clearTimeout(giveUp))
}
