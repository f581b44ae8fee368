import type { FastifyReply, FastifyRequest } from 'fastify'

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
const loopbackAddress = /^(127\.|::1$|::ffff:127\.)/

/** True for a loopback request that names this machine: operators, health checks, tests. */
function isLoopback(request: FastifyRequest): boolean {
  return loopbackAddress.test(request.socket.remoteAddress ?? '') && loopbackHost.test(request.headers.host ?? '')
}

/**
 * `onRequest` hook: redirects plain HTTP to HTTPS (spec 1, rule 3) behind a TLS-terminating proxy, which reports the
 * client's scheme in `X-Forwarded-Proto`. Loopback requests without a proxy are served as they are (decision 15).
 */
export function httpsOnly(publicUrl: URL) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const forwarded = request.headers['x-forwarded-proto']
    const used = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',', 1)[0]?.trim().toLowerCase()
    if (used === 'https' || (used === undefined && isLoopback(request))) return undefined
    return reply.redirect(new URL(request.url, publicUrl.origin).href, 308)
  }
}
