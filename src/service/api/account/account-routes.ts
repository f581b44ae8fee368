import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../../contract/interface/environment.ts'
import type { AccountGiven } from '../http/account-route.ts'
import { withRights } from '../http/operation.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { requireKey } from '../http/require-key.ts'
import { addRoutes, noSuchRoute, type Route } from '../http/route.ts'
import { peakRoutes, playbackRoutes } from '../playback/playback-routes.ts'
import { toolRoutes } from '../sandbox/tool-routes.ts'
import { balanceRoutes } from './balance-routes.ts'
import { captionRoutes } from './captioned-routes.ts'
import { closingRoutes } from './closing-routes.ts'
import { correctionRoutes } from './correction-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { exportRoutes } from './export-routes.ts'
import { fileRoutes, searchRoutes } from './file-routes.ts'
import { invoiceRoutes } from './invoice-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { mergePatchType, overviewRoutes } from './overview-routes.ts'
import { paymentRoutes } from './payment-routes.ts'
import { pictureRoutes } from './picture-routes.ts'
import { projectRoutes } from './project-routes.ts'
import { quoteRoutes } from './quote-routes.ts'
import { logRoutes, usageRoutes } from './usage-routes.ts'
import { vocabularyRoutes } from './vocabulary-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'

const resources = {
  Account: [...withRights(overviewRoutes, 'manage'), ...withRights([...closingRoutes, ...exportRoutes], 'manage')],
  Vocabulary: withRights(vocabularyRoutes, 'correct'),
  'API keys': withRights(keyRoutes, 'manage', 'manage'),
  Quotes: withRights(quoteRoutes, 'order'),
  Payment: withRights([...paymentRoutes, ...balanceRoutes, ...invoiceRoutes], 'manage'),
  Usage: withRights(usageRoutes, 'manage'),
  Log: withRights(logRoutes, 'manage', 'manage'),
  Search: withRights(searchRoutes, 'read'),
  Projects: withRights(projectRoutes, 'manage'),
  'File pages': [
    ...withRights(fileRoutes, 'correct'),
    ...withRights(playbackRoutes, 'read'),
    ...withRights(correctionRoutes, 'correct'),
    ...withRights(captionRoutes, 'correct'),
    ...withRights(peakRoutes, 'read'),
    ...withRights(pictureRoutes, 'read'),
    ...withRights(eventRoutes, 'read'),
  ],
  Webhook: withRights(webhookRoutes, 'manage', 'manage'),
}
const sandboxResources = { 'Sandbox tools': withRights(toolRoutes, 'order') }

/** Parley's own interface beside `/v1/`: account, keys, payment, usage, files; webhooks; the sandbox tools. */
export const accountResources = { ...resources, ...sandboxResources }

/** The account interface of one environment, as a plugin to register with the prefix of its base path. */
export function accountRoutes(given: Omit<AccountGiven, 'caller'>, environment: Environment, limits: RateLimits) {
  const offered = environment === 'sandbox' ? accountResources : resources
  const routes: Route<AccountGiven>[] = Object.values(offered).flat()
  const add = (app: FastifyInstance, isOpen: boolean) =>
    addRoutes(
      app,
      routes.filter((route) => (route.authenticated === false) === isOpen),
      ({ caller }) => ({ ...given, caller }),
    )
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onSend', async (_request, reply) => {
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    })
    app.setNotFoundHandler((request) => {
      throw noSuchRoute(routes, request, { base: app.prefix, words: 'There is no such resource in the account API.' })
    })
    await app.register(async (open) => add(open, true))
    await app.register(async (own) => {
      own.decorateRequest('caller')
      own.addHook('onRequest', requireKey(given.platform, environment, limits))
      own.addContentTypeParser(mergePatchType, { parseAs: 'string' }, own.getDefaultJsonParser('error', 'error'))
      add(own, false)
    })
  }
}
