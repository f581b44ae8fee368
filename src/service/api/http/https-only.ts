import type { FastifyReply, FastifyRequest } from 'fastify'

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
const loopbackAddress = /^(127\.|::1$|::ffff:127\.)/

/** A request from this machine to this machine by its own name: operators, health checks, tests. */
function isLoopback(request: FastifyRequest): boolean {
  return loopbackAddress.test(request.socket.remoteAddress ?? '') && loopbackHost.test(request.headers.host ?? '')
}

/**
 * Redirects plain HTTP to HTTPS (spec 1, rule 3) where a proxy in front of the service ends TLS, as an `onRequest`
 * hook. The proxy says in `X-Forwarded-Proto` what the customer used. Loopback without a proxy is served as it is
 * (decision 15).
 */
export function httpsOnly(publicUrl: URL) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const forwarded = request.headers['x-forwarded-proto']
    const used = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',', 1)[0]?.trim().toLowerCase()
    if (used === 'https' || (used === undefined && isLoopback(request))) return undefined
    return reply.redirect(new URL(request.url, publicUrl.origin).href, 308)
  }
}
