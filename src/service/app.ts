import { randomBytes } from 'node:crypto'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { apiBasePath, environments } from '../contract/environment.ts'
import { answerError } from './http/answer-error.ts'
import { dashboard } from './http/dashboard.ts'
import { securityHeaders } from './http/security-headers.ts'
import { openApiRoutes } from './openapi/routes.ts'
import type { Platform } from './platform.ts'
import { v1Routes } from './v1/routes.ts'

/** Puts the service's interfaces together: routes, the one error handler, the built dashboard. Does not listen. */
export async function buildApp(platform: Platform): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: platform.log satisfies FastifyBaseLogger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomBytes(6).toString('hex'),
    // Slow bodies are never cut (decision 16); silent ones are, where they are read.
    requestTimeout: 0,
    bodyLimit: 1_048_576,
    routerOptions: { maxParamLength: 2_000 },
    frameworkErrors: (error, request, reply) => answerError(error, request, reply.headers(securityHeaders)),
  })
  app.setErrorHandler(answerError)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(securityHeaders)
  })
  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ready' }))
  for (const environment of environments) {
    await app.register(v1Routes(platform, environment), { prefix: apiBasePath(environment) })
  }
  await app.register(openApiRoutes)
  await app.register(dashboard)
  return app
}
