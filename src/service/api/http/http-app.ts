import { randomBytes } from 'node:crypto'
import http from 'node:http'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { requestIdHeader } from '../../../contract/interface/headers.ts'
import type { Config } from '../../platform/config.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { explainError, StartError } from '../../platform/start-error.ts'
import { answerClientError, answerErrors, answerErrorsOfFiles } from './answer-error.ts'
import { compressAnswers } from './compress-answers.ts'
import { crossSite } from './cross-site.ts'
import type { Metrics } from './metrics.ts'
import { refineRequest } from './read-request.ts'
import { securityHeaders } from './security-headers.ts'
import { trackSilentConnections } from './silent-connections.ts'
import { tlsServer } from './tls-port.ts'
import { acceptParsedBody, endUnreadBody } from './unread-body.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler reads the body itself, and then also answers `Expect: 100-continue`. */
    readsBody?: boolean
  }
}

const headersMs = 60_000
/** Fits options of a few thousand escaped characters, so that they get a proper error message (decision 2). */
const maxHeadersBytes = 65_536
/** Longer than the keep-alive of common proxies, so that the proxy closes first. */
const keepAliveMs = 75_000

/** The server underneath Fastify: with TLS if configured; requests with `Expect` also reach the handlers. */
function serverFactory({ tls, publicUrl }: Config) {
  return (handler: http.RequestListener) => {
    // A missing Host is refused below: Node's own refusal has no JSON body.
    const limits = { maxHeaderSize: maxHeadersBytes, requireHostHeader: false }
    const server = tls === null ? http.createServer(limits, handler) : tlsServer(tls, publicUrl, limits, handler)
    // Slow bodies are never cut off (decision 16); idle ones are, by their readers.
    server.requestTimeout = 0
    server.headersTimeout = headersMs
    server.keepAliveTimeout = keepAliveMs
    server.on('checkContinue', handler)
    // Other expectations are ignored, since Node's own refusal has no JSON body.
    server.on('checkExpectation', handler)
    return server as http.Server
  }
}

/**
 * Logs and counts each response by route, never by URL, since query strings are private. Successful reads, of which a
 * dashboard makes thousands, are logged at level `debug`.
 */
function logAnswers(app: FastifyInstance, log: Logger, metrics: Metrics | null): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { method, routeOptions } = request
    const { statusCode: status, elapsedTime } = reply
    const { url: route } = routeOptions
    const isRead = method === 'HEAD' || method === 'GET'
    const level = isRead && status < 400 ? 'debug' : 'info'
    if (log.isLevelEnabled(level)) {
      request.log[level](
        { reqId: request.id, method, route: route ?? null, status, ms: Math.round(elapsedTime) },
        'answered',
      )
    }
    metrics?.countAnswer(method, route ?? 'none', status, elapsedTime / 1_000)
    done(null, payload)
  })
}

/** Generates request IDs, which every answer and its line in the log has: a random prefix per process, then a counter. */
function countRequests(): () => string {
  const start = randomBytes(4).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${start}${count.toString(16).padStart(6, '0')}`
  }
}

/**
 * The common base of every way to run Parley: TLS, response headers, CORS, the error handler, compression, logging and
 * `GET /healthz`. Registers no interfaces and does not listen.
 */
export function openHttpApp(config: Config, log: Logger, metrics: Metrics | null): FastifyInstance {
  const answerError = answerErrors(config)
  const nextId = countRequests()
  const app: FastifyInstance = fastify({
    loggerInstance: log satisfies FastifyBaseLogger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: nextId,
    // One logger for all requests: request log lines add the ID themselves.
    childLoggerFactory: (logger) => logger,
    bodyLimit: 1_048_576,
    // No plugin timeout: startup on a busy machine may be slow.
    pluginTimeout: 0,
    // A wrong ID of any length is 404; the header size is the limit. `/v1/files/` is `/v1/files`.
    routerOptions: { maxParamLength: maxHeadersBytes, ignoreTrailingSlash: true },
    serverFactory: serverFactory(config),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, nextId(), log),
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, reply.headers(securityHeaders).header(requestIdHeader, request.id)),
  })
  app.setErrorHandler(answerErrorsOfFiles(config))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header(requestIdHeader, request.id)
    // RFC 9112, 3.2
    const lacksHost = request.headers.host === undefined && request.raw.httpVersion === '1.1'
    done(lacksHost ? new ServiceError(400, 'The request has no Host header.') : undefined)
  })
  app.addHook('onRequest', endUnreadBody)
  if (config.publicUrl?.protocol === 'https:' && config.tls === null) {
    app.addHook('onRequest', httpsOnly(config.publicUrl))
  }
  app.addHook('onRequest', crossSite(config))
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.routeOptions.config.readsBody === true) return void done(null, payload)
    const coding = request.headers['content-encoding'] ?? 'identity'
    if (coding.toLowerCase() !== 'identity') {
      const words = `The body is read as it is sent, without Content-Encoding: ${coding}.`
      return void done(new ServiceError(415, words, { 'accept-encoding': 'identity' }))
    }
    acceptParsedBody(request, reply)
    done(null, payload)
  })
  app.addHook('preValidation', refineRequest)
  compressAnswers(app)
  logAnswers(app, log, metrics)
  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ready' }))
  const endSilent = trackSilentConnections(app.server, config.tls !== null, config.graceMs)
  app.addHook('preClose', async () => endSilent())
  return app
}

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
function httpsOnly(publicUrl: URL) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const forwarded = request.headers['x-forwarded-proto']
    const used = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',', 1)[0]?.trim().toLowerCase()
    if (used === 'https' || (used === undefined && isLoopback(request))) return undefined
    return reply.redirect(new URL(request.url, publicUrl.origin).href, 308)
  }
}

/**
 * Listens on the configured host and port.
 * @returns the address with the actual port, `http://127.0.0.1:4600`
 * @throws StartError if the port is taken
 */
export async function listen(app: FastifyInstance, { host, port, tls }: Config): Promise<string> {
  try {
    const address = await app.listen({ host, port })
    return tls === null ? address : address.replace(/^http:/, 'https:')
  } catch (error) {
    const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    const reason = inUse ? 'it is in use by another program' : explainError(error)
    throw new StartError(`Cannot listen on ${host}:${port}: ${reason}.`, { cause: error })
  }
}
