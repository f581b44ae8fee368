import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { challenge } from '../../accounts/auth/authenticate.ts'
import { ownErrors } from '../../platform/own-errors.ts'
import { ServiceError } from '../../platform/service-error.ts'

const connectMs = 10_000
/** From the last byte of a recording to the response: the upstream may check ten gigabytes before it responds. */
const answerMs = 10 * 60_000

/** Request headers to forward. Cookies, origins and proxies in front do not concern the upstream. */
const forwardedHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'idempotency-key',
  'known-recording',
  'max-top-up-cents',
  'max-total-cents',
  'min-refund-cents',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'range',
  'transcript-version',
  // The body is forwarded chunked: without this it could be taken for a second request.
  'transfer-encoding',
  'user-agent',
])
/** Response headers to pass back; others, such as cookies and content policies, are dropped. */
const returnedHeaders: ReadonlySet<string> = new Set([
  'accept-ranges',
  'allow',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
  'known-file',
  'order-duration-ms',
  'order-top-up-cents',
  'order-total-cents',
  'order-warning',
  'payment-page',
  'refund-cents',
  'retry-after',
  'transcript-version',
  'x-service-metadata',
])

type Headers = Record<string, string | string[] | undefined>

function only(names: ReadonlySet<string>, headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.has(name)))
}

const connectTimeout = 'CONNECT_TIMEOUT'
/** Error codes meaning that the upstream never got the request: a wrong address, or it is down. */
const unreached: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  connectTimeout,
])

function isUnreached(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return unreached.has(code)
}

/**
 * Handles a missing response. If part of a recording may have arrived, an error would be wrong, since it may have
 * become an order: the connection is closed instead, which clients know how to handle.
 */
function answerNone(reply: FastifyReply, error: unknown): void {
  const { method, raw } = reply.request
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead || isUnreached(error)) {
    reply.send(new ServiceError(502, 'The transcription service behind this dashboard cannot be reached.'))
  } else {
    reply.hijack()
    raw.socket.destroy()
  }
}

/**
 * Why a response with this status cannot be passed on, if so. Redirects could lead the browser, with the key, anywhere;
 * statuses that HTTP does not have make Fastify throw.
 */
function findFault(status: number): string | null {
  if (status < 200 || status > 599) return `returned the status ${status}, which HTTP does not have.`
  if (status < 300 || status > 399 || status === 304) return null
  return 'returned a redirect. Its URL may have changed.'
}

/** Passes a response on to the client. */
function answer(reply: FastifyReply, incoming: IncomingMessage): void {
  const { statusCode = 502, headers } = incoming
  const fault = findFault(statusCode)
  if (fault !== null) {
    incoming.destroy()
    reply.send(new ServiceError(502, `The transcription service behind this dashboard ${fault}`))
    return
  }
  reply.code(statusCode).headers(only(returnedHeaders, headers))
  // Keeps `Origin` from `crossSite`, which this would overwrite.
  if (headers.vary !== undefined) reply.header('vary', `Origin, ${headers.vary}`)
  if (headers['www-authenticate'] !== undefined) {
    reply.header('www-authenticate', challenge(String(reply.request.headers['sec-fetch-mode'])))
  }
  reply.send(incoming)
}

function limitConnecting(outgoing: ClientRequest): void {
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return
    const error = Object.assign(new Error('Connecting took too long.'), { code: connectTimeout })
    const timer = setTimeout(() => outgoing.destroy(error), connectMs)
    socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  })
}

/** @throws ServiceError 404 for a path that escapes the prefix, also if percent-encoded: `..%2f` */
function pathBelow(prefix: string, url: string): string {
  const [path = ''] = url.split('?', 1)
  const isBelow = path.startsWith(prefix) && !decodeURIComponent(path).split(/[/\\]/).includes('..')
  if (isBelow) return url.slice(prefix.length)
  throw new ServiceError(404, 'There is no such resource.')
}

/**
 * Proxies everything below the prefix to an upstream, streaming both ways. Hand-written because it must forward a
 * request's head before its body arrives, so that refusals come early, and relay `100 Continue` (decision 77).
 * @param upstream its base URL, ending in `/v1/` (spec 1, rule 3)
 */
export function proxyTo(upstream: URL): (app: FastifyInstance) => Promise<void> {
  const { request: open, Agent } = upstream.protocol === 'https:' ? https : http
  return async (app) => {
    const agent = new Agent({ keepAlive: true })
    app.addHook('onClose', async () => agent.destroy())
    // Bodies are streamed through, never parsed.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _body, done) => done(null))

    const forward = (request: FastifyRequest, reply: FastifyReply) => {
      const { raw, method, url, headers } = request
      const path = upstream.pathname + pathBelow(app.prefix, url)
      const outgoing = open(upstream, { method, path, agent, headers: only(forwardedHeaders, headers) })
      limitConnecting(outgoing)
      outgoing.setTimeout(answerMs, () => outgoing.destroy(new Error('The service stopped responding.')))
      outgoing.once('continue', () => reply.raw.writeContinue())
      const fail = (error: unknown) => {
        request.log.warn({ err: error, reqId: request.id }, 'a response could not be passed on')
        outgoing.destroy()
        if (!reply.sent) answerNone(reply, error)
      }
      outgoing.once(
        'response',
        ownErrors((incoming) => answer(reply, incoming), fail),
      )
      // Status 101, which nobody asked for: without a listener it would end in no event, and the client wait for ever.
      outgoing.once(
        'upgrade',
        ownErrors((incoming, socket) => {
          socket.destroy()
          answer(reply, incoming)
        }, fail),
      )
      // After a response it only means that the rest of the body was not wanted.
      outgoing.on('error', (error) => reply.sent || answerNone(reply, error))
      raw.once('close', () => raw.complete || outgoing.destroy())
      reply.raw.once('close', () => outgoing.destroy())
      outgoing.flushHeaders()
      raw.pipe(outgoing)
    }
    app.addHook('onRequest', (request, reply, done) => {
      // Compressed as the upstream sends it, or not at all.
      reply.header('cache-control', 'no-store, no-transform')
      // Uncommon methods; Fastify would have its own error for a QUERY without body.
      if (request.is404 || request.method === 'QUERY') forward(request, reply)
      else done()
    })
    app.all('*', { config: { readsBody: true } }, forward)
    app.setNotFoundHandler(forward)
  }
}
