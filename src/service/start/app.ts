import type { FastifyInstance } from 'fastify'
import { accountBasePath, apiBasePath, environments } from '../../contract/interface/environment.ts'
import { uploadsBasePath } from '../../contract/interface/resumable-uploads.ts'
import { workBasePath } from '../../contract/work/staff.ts'
import { EventHub } from '../accounts/events/event-hub.ts'
import { accountRoutes } from '../api/account/account-routes.ts'
import { dashboard } from '../api/http/dashboard.ts'
import { openHttpApp } from '../api/http/http-app.ts'
import type { Metrics } from '../api/http/metrics.ts'
import { listOwnPages, ownPageRoutes } from '../api/http/own-pages.ts'
import { paymentPages } from '../api/http/payment-pages.ts'
import { RateLimits } from '../api/http/rate-limits.ts'
import { readyRoute } from '../api/http/ready-route.ts'
import { openApiRoutes } from '../api/openapi/openapi-routes.ts'
import { referenceRoutes } from '../api/openapi/reference-routes.ts'
import { uploadRoutes } from '../api/uploads/upload-routes.ts'
import { v1Routes } from '../api/v1/v1-routes.ts'
import { workRoutes } from '../api/work/work-routes.ts'
import { closingStatement } from '../operations/closing/statement.ts'
import { describeRates } from '../orders/money/get-rates.ts'
import type { Clock, Platform } from '../platform/platform.ts'
import { Search } from '../text/search/search.ts'

/**
 * Registers everything that answers requests: the interfaces and the built dashboard; in a worker only health checks.
 * Does not listen.
 * @param monotonic clock of the rate limits, in milliseconds
 */
export async function buildApp(
  platform: Platform,
  metrics: Metrics | null = null,
  monotonic?: Clock,
): Promise<FastifyInstance> {
  const app = openHttpApp(platform.config, platform.log, metrics)
  readyRoute(app, platform)
  if (platform.config.role === 'worker') return app
  const limits = new RateLimits(platform.nodes, monotonic)
  const hub = new EventHub(platform)
  app.addHook('preClose', async () => hub.close())
  const search = new Search(platform)
  app.addHook('preClose', () => search.close())
  metrics?.addGauge('parley_event_streams', 'Open event streams.', () => hub.size)
  for (const environment of environments) {
    await app.register(v1Routes(platform, environment, limits), { prefix: apiBasePath(environment) })
    const account = accountRoutes({ platform, hub, search }, environment, limits)
    await app.register(account, { prefix: accountBasePath(environment) })
    await app.register(uploadRoutes(platform, environment, limits), { prefix: uploadsBasePath(environment) })
  }
  await app.register(workRoutes(platform, limits), { prefix: workBasePath })
  await app.register((docs) => openApiRoutes(docs, platform.config))
  await app.register((docs) =>
    referenceRoutes(docs, platform.config, { describe: () => describeRates(platform.config, platform.clock()) }),
  )
  const { db, config, clock } = platform
  const readStatement = (id: string) => closingStatement(db, id, config.ledgerYears)
  await app.register(ownPageRoutes, { config, clock, readStatement })
  await app.register(paymentPages(platform))
  await app.register(dashboard, { environments, hasDemo: true, listPages: () => listOwnPages(platform.config) })
  return app
}
