import { randomBytes } from 'node:crypto'
import http from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { accountBasePath, apiBasePath, environments } from '../contract/environment.ts'
import { uploadsBasePath } from '../contract/resumable-uploads.ts'
import { EventHub } from './account/event-hub.ts'
import { accountRoutes } from './account/routes.ts'
import type { Config } from './config.ts'
import { answerError } from './http/answer-error.ts'
import { answerClientError } from './http/client-error.ts'
import { crossSite } from './http/cross-site.ts'
import { dashboard } from './http/dashboard.ts'
import { httpsOnly } from './http/https-only.ts'
import { RateLimits } from './http/rate-limits.ts'
import { securityHeaders } from './http/security-headers.ts'
import { trackSilentConnections } from './http/silent-connections.ts'
import { tlsServer } from './http/tls-port.ts'
import { endUnreadBody, letOtherBodyCome } from './http/unread-body.ts'
import { openApiRoutes } from './openapi/routes.ts'
import { Metrics } from './operators/metrics.ts'
import type { Platform } from './platform.ts'
import { uploadRoutes } from './uploads/routes.ts'
import { v1Routes } from './v1/routes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler reads the body itself, and lets it come when it does. */
    readsBody?: boolean
  }
}

const headersMs = 60_000
/** Longer than the usual proxy keeps a connection, so that it is the one to end it. */
const keepAliveMs = 75_000

/** The server below Fastify: TLS where it is configured; a client that waits to send its body is asked first. */
function serverFactory({ tls, publicUrl }: Config) {
  return (handler: http.RequestListener) => {
    const server = tls === null ? http.createServer(handler) : tlsServer(tls, publicUrl, handler)
    // Slow bodies are never cut (decision 16); silent ones are, where they are read.
    server.requestTimeout = 0
    server.headersTimeout = headersMs
    server.keepAliveTimeout = keepAliveMs
    server.on('checkContinue', handler)
    return server as http.Server
  }
}

/**
 * One line and one count for each answer: the route, never the address, whose query string is the customer's. Reads
 * that went well, of which a dashboard makes thousands, are told only at the level `debug`.
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

/** Numbers of requests, which customers are told with an unexpected error: random for each process, then counted. */
function countRequests(): () => string {
  const start = randomBytes(4).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${start}${count.toString(16).padStart(6, '0')}`
  }
}

/** Puts the service's interfaces together: routes, the one error handler, the built dashboard. Does not listen. */
export async function buildApp(platform: Platform, metrics: Metrics = new Metrics()): Promise<FastifyInstance> {
  const { config } = platform
  const app: FastifyInstance = fastify({
    loggerInstance: platform.log satisfies FastifyBaseLogger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: countRequests(),
    // One logger for all requests: lines that belong to one name its number themselves.
    childLoggerFactory: (logger) => logger,
    bodyLimit: 1_048_576,
    routerOptions: { maxParamLength: 2_000 },
    serverFactory: serverFactory(config),
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply.headers(securityHeaders)),
  })
  app.setErrorHandler(answerError)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(securityHeaders)
    done()
  })
  app.addHook('onRequest', endUnreadBody)
  if (config.publicUrl?.protocol === 'https:' && config.tls === null) {
    app.addHook('onRequest', httpsOnly(config.publicUrl))
  }
  app.addHook('onRequest', crossSite(config))
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.routeOptions.config.readsBody !== true) letOtherBodyCome(request, reply)
    done(null, payload)
  })
  logAnswers(app, platform.log, metrics)

  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ready' }))
  const limits = new RateLimits()
  const hub = new EventHub(platform)
  const endSilent = trackSilentConnections(app.server, config.tls !== null)
  app.addHook('preClose', async () => {
    hub.close()
    endSilent()
  })
  metrics.gauges.set('parley_event_streams', { help: 'Open event streams.', read: () => hub.size })
  for (const environment of environments) {
    await app.register(v1Routes(platform, environment, limits), { prefix: apiBasePath(environment) })
    const account = accountRoutes(platform, environment, limits, hub)
    await app.register(account, { prefix: accountBasePath(environment) })
    await app.register(uploadRoutes(platform, environment, limits), { prefix: uploadsBasePath(environment) })
  }
  await app.register(openApiRoutes)
  await app.register(dashboard)
  return app
}
