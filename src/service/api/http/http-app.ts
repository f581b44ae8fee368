import { randomBytes } from 'node:crypto'
import http from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../../platform/config.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { answerErrors } from './answer-error.ts'
import { answerClientError } from './client-error.ts'
import { compressAnswers } from './compress-answers.ts'
import { crossSite } from './cross-site.ts'
import { httpsOnly } from './https-only.ts'
import type { Metrics } from './metrics.ts'
import { checkDepth } from './read-request.ts'
import { securityHeaders } from './security-headers.ts'
import { trackSilentConnections } from './silent-connections.ts'
import { tlsServer } from './tls-port.ts'
import { acceptParsedBody, endUnreadBody } from './unread-body.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler reads the body itself, and answers `Expect: 100-continue` once it does. */
    readsBody?: boolean
  }
}

const headersMs = 60_000
/** Enough for options of some thousand characters, each escaped, to be refused in words (decision 2). */
const maxHeadersBytes = 65_536
/** Longer than usual proxies keep a connection, so that the proxy is the one to close it. */
const keepAliveMs = 75_000

/** The server below Fastify: with TLS where it is configured; requests with `Expect` reach the handlers, too. */
function serverFactory({ tls, publicUrl }: Config) {
  return (handler: http.RequestListener) => {
    // A missing Host is refused below: Node's own refusal has no JSON body.
    const limits = { maxHeaderSize: maxHeadersBytes, requireHostHeader: false }
    const server = tls === null ? http.createServer(limits, handler) : tlsServer(tls, publicUrl, limits, handler)
    // Slow bodies are never cut off (decision 16); silent ones are, where they are read.
    server.requestTimeout = 0
    server.headersTimeout = headersMs
    server.keepAliveTimeout = keepAliveMs
    server.on('checkContinue', handler)
    // Other expectations are ignored; Node's own refusal of them has no JSON body.
    server.on('checkExpectation', handler)
    return server as http.Server
  }
}

/**
 * Logs and counts each answer: by its route, never its address, since query strings are private. Successful reads, of
 * which a dashboard makes thousands, are logged at level `debug`.
 */
function logAnswers(app: FastifyInstance, log: Logger, metrics: Metrics): void {
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
    metrics.countAnswer(method, route ?? 'none', status, elapsedTime / 1_000)
    done(null, payload)
  })
}

/** Ids of requests, shown to customers with an unexpected error: a random part for each process, then a count. */
function countRequests(): () => string {
  const start = randomBytes(4).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${start}${count.toString(16).padStart(6, '0')}`
  }
}

/**
 * What every way to run Parley has in common: TLS, headers of every answer, CORS, the one error handler, compression, the
 * log, `GET /healthz`. Has no interfaces yet, and does not listen.
 */
export function openHttpApp(config: Config, log: Logger, metrics: Metrics): FastifyInstance {
  const answerError = answerErrors(config)
  const app: FastifyInstance = fastify({
    loggerInstance: log satisfies FastifyBaseLogger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: countRequests(),
    // One logger for all requests: lines about a request name its id themselves.
    childLoggerFactory: (logger) => logger,
    bodyLimit: 1_048_576,
    // A start on a busy machine may take as long as it needs.
    pluginTimeout: 0,
    // A wrong id of any length is 404; the limit is the size of the headers.
    routerOptions: { maxParamLength: maxHeadersBytes },
    serverFactory: serverFactory(config),
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply.headers(securityHeaders)),
  })
  app.setErrorHandler(answerError)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders)
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
    if (request.routeOptions.config.readsBody !== true) acceptParsedBody(request, reply)
    done(null, payload)
  })
  app.addHook('preValidation', checkDepth)
  compressAnswers(app)
  logAnswers(app, log, metrics)
  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ready' }))
  const endSilent = trackSilentConnections(app.server, config.tls !== null, config.graceMs)
  app.addHook('preClose', async () => endSilent())
  return app
}
