import type { FastifyReply, FastifyRequest } from 'fastify'

const drainMs = 2_000
const drainBytes = 32_000_000
const pollEveryMs = 50

/**
 * `onRequest` hook: closes connections whose request was answered before its body arrived. Closing at once would reset
 * the connection, and a browser still sending would see that instead of the response; so some of the body is read and
 * discarded first.
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
    // Emitted at the end of the body and when the connection is lost.
    raw.once('close', () => clearInterval(poll))
    raw.resume()
  })
}

/** Answers `Expect: 100-continue`. Call it right before reading the body, so that refusals come before it is sent. */
export function sendContinue(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
}

/** A JSON body of at most a megabyte that takes longer is considered abusive. */
const smallBodyMs = 5 * 60_000

/** For bodies parsed by Fastify: answers `Expect`, and cuts off JSON that takes too long. */
export function acceptParsedBody(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  if (raw.method === 'GET' || raw.method === 'HEAD') return
  sendContinue(request, reply)
  if (request.headers['content-type']?.includes('json') !== true) return
  const giveUp = setTimeout(() => raw.destroy(), smallBodyMs).unref()
  raw.once('close', () => clearTimeout(giveUp))
}
