import { PassThrough } from 'node:stream'
import httpProxy, { type FastifyHttpProxyOptions } from '@fastify/http-proxy'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Agent } from 'undici'
import { challenge } from '../auth/authenticate.ts'
import { ServiceError } from '../service-error.ts'

const connectMs = 10_000
/** From the last byte of a recording to the answer: the service may check ten gigabytes before it answers. */
const answerMs = 10 * 60_000

/** Request headers that are forwarded. Cookies, origins and proxies in front do not concern the other service. */
const forwardedHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'range',
  'user-agent',
])
/** Response headers that are passed back; others, such as cookies and content policies, are dropped. */
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
  'retry-after',
  'x-service-metadata',
])

type Headers = Record<string, string | string[] | undefined>

function only(names: ReadonlySet<string>, headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.has(name)))
}

/** Errors where the service never got the request: its address is wrong, or it is down. */
const unreached: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

function isUnreached(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return unreached.has(code) || code === 'UND_ERR_CONNECT_TIMEOUT' || isUnreached(error.cause)
}

/**
 * There was no answer. A recording of which something may have arrived must not be answered with an error, since it may
 * have become an order: the connection is closed instead, and clients know what that means.
 */
function answerNone(reply: FastifyReply, error: Error): void {
  const { method, raw } = reply.request
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead || isUnreached(error)) {
    reply.send(new ServiceError(502, 'The transcription service behind this dashboard cannot be reached.'))
  } else {
    reply.hijack()
    raw.socket.destroy()
  }
}

/** Passes an answer on to the client. Redirects are refused: they could lead the browser, with the key, anywhere. */
function answer(reply: FastifyReply, stream: NodeJS.ReadableStream & { destroy(): void }): void {
  const { statusCode } = reply
  if (statusCode < 300 || statusCode >= 400 || statusCode === 304) {
    reply.send(stream)
    return
  }
  stream.destroy()
  for (const name of returnedHeaders) reply.removeHeader(name)
  const hint =
    'The transcription service behind this dashboard answers with a redirection. Its address may have changed.'
  reply.send(new ServiceError(502, hint))
}

/** A copy of the body's stream: where it is ended early, as by a refusal, the client's connection stays open. */
function shieldBody(payload: NodeJS.ReadableStream): PassThrough {
  const shield = new PassThrough()
  // A client that disconnects ends the forwarded request as well.
  payload.once('close', () => {
    if (!payload.readable && !shield.writableEnded) shield.destroy()
  })
  shield.on('error', () => {})
  return payload.pipe(shield)
}

/**
 * Everything below the prefix, from and to another service, streaming both ways.
 * @param upstream its base address, ending in `/v1/` (spec 1, rule 3)
 */
export function proxyTo(upstream: URL): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    const agent = new Agent({ connect: { timeout: connectMs }, headersTimeout: answerMs, bodyTimeout: answerMs })
    app.addHook('onClose', () => agent.destroy())
    // Compressed as the other service sends it, or not at all.
    app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store, no-transform'))
    app.addHook('preParsing', async (request, _reply, payload) =>
      request.method === 'GET' || request.method === 'HEAD' ? payload : shieldBody(payload),
    )
    await app.register(httpProxy, {
      upstream: upstream.href,
      // Our own agent, since the plugin's does not check certificates. Its types are of another version of undici.
      undici: agent as unknown as NonNullable<FastifyHttpProxyOptions['undici']>,
      disableRequestLogging: true,
      replyOptions: {
        // The dashboard retries itself, as it knows what may be retried.
        retryDelay: () => null,
        rewriteRequestHeaders: (_request, headers) => only(forwardedHeaders, headers),
        rewriteHeaders: (headers, request) => {
          // `Origin` is ours: what `crossSite` says would be written over.
          const vary = headers.vary === undefined ? {} : { vary: `Origin, ${headers.vary}` }
          const kept = { ...only(returnedHeaders, headers), ...vary }
          if (headers['www-authenticate'] === undefined) return kept
          return { ...kept, 'www-authenticate': challenge(String(request?.headers['sec-fetch-mode'])) }
        },
        onResponse: (_request, reply, { stream }) => answer(reply as FastifyReply, stream),
        onError: (reply, { error }) => answerNone(reply as FastifyReply, error),
      },
    })
  }
}
