import type { FastifyReply, FastifyRequest } from 'fastify'

const drainMs = 2_000
const drainBytes = 32_000_000
const pollEveryMs = 50

/**
 * Closes connections whose request was answered before its body had arrived, as an `onRequest` hook. Closing at once
 * would reset the connection, and a browser that is still sending would see that instead of the answer; so some of the
 * body is read and thrown away first.
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
    const poll = setInterval(() => {
      waitedMs += pollEveryMs
      if (waitedMs >= drainMs || socket.bytesRead - startBytes >= drainBytes) raw.destroy()
    }, pollEveryMs)
    // Emitted at the end of the body, and when the connection is lost.
    raw.once('close', () => clearInterval(poll))
    raw.resume()
  })
}

/**
 * Answers `Expect: 100-continue`. Called when the body is about to be read, so that a refusal comes before it is sent.
 */
export function sendContinue(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
}

/** A JSON body, at most a megabyte, that takes longer than this is not meant seriously. */
const smallBodyMs = 5 * 60_000

/**
 * For bodies that no handler reads itself: answers `Expect`, and cuts off JSON, which Fastify reads whole, after a
 * time.
 */
export function acceptParsedBody(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  if (raw.method === 'GET' || raw.method === 'HEAD') return
  sendContinue(request, reply)
  if (request.headers['content-type']?.includes('json') !== true) return
  const giveUp = setTimeout(() => raw.destroy(), smallBodyMs).unref()
  raw.once('close', () => clearTimeout(giveUp))
}
