import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../../contract/interface/environment.ts'
import type { EventHub } from '../../accounts/events/event-hub.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import type { Search } from '../../text/search/search.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { requireKey } from '../http/require-key.ts'
import { addRoutes } from '../http/route.ts'
import { mediaRoutes, playbackRoutes } from '../playback/playback-routes.ts'
import { demoRoutes } from '../sandbox/demo-routes.ts'
import { toolRoutes } from '../sandbox/tool-routes.ts'
import { captionReportRoutes } from './caption-report-routes.ts'
import { captionedRoutes } from './captioned-routes.ts'
import { correctionRoutes, versionRoutes } from './correction-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { fileRoutes } from './file-routes.ts'
import { fileWorkRoutes } from './file-work-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { labelRoutes } from './label-routes.ts'
import { logRoutes } from './log-routes.ts'
import { overviewRoutes } from './overview-routes.ts'
import { paymentRoutes } from './payment-routes.ts'
import { projectRoutes } from './project-routes.ts'
import { queueRoutes } from './queue-routes.ts'
import { retentionRoutes } from './retention-routes.ts'
import { reviewRoutes } from './review-routes.ts'
import { searchRoutes } from './search-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import { usageRoutes } from './usage-routes.ts'
import { vocabularyRoutes } from './vocabulary-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'

/**
 * The account interface of one environment, as a plugin to register with the prefix of its base path. All routes except
 * `demo` and the signed `media` URLs require a key of that environment.
 */
export function accountRoutes(
  platform: Platform,
  environment: Environment,
  limits: RateLimits,
  hub: EventHub,
  search: Search,
) {
  const resources: ((app: FastifyInstance, platform: Platform) => Promise<void>)[] = [
    async (app) => addRoutes(app, platform, [...keyRoutes, ...paymentRoutes, ...projectRoutes, ...vocabularyRoutes]),
    (app) => eventRoutes(app, hub),
    (app) => searchRoutes(app, search),
    ...[
      overviewRoutes,
      settingsRoutes,
      webhookRoutes,
      usageRoutes,
      logRoutes,
      labelRoutes,
      retentionRoutes,
      fileRoutes,
      queueRoutes,
      fileWorkRoutes,
      captionReportRoutes,
      captionedRoutes,
      correctionRoutes,
      versionRoutes,
      reviewRoutes,
      playbackRoutes,
    ],
    ...(environment === 'sandbox' ? [toolRoutes] : []),
  ]
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onSend', async (_request, reply) => {
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    })
    app.setNotFoundHandler(() => {
      throw new ServiceError(404, 'There is no such resource in the account API.')
    })
    await app.register((open) => mediaRoutes(open, platform))
    if (environment === 'sandbox') await app.register((open) => demoRoutes(open, platform))
    await app.register(async (own) => {
      own.decorateRequest('caller')
      own.addHook('onRequest', requireKey(platform, environment, limits))
      for (const routes of resources) await own.register((scope) => routes(scope, platform))
    })
  }
}
