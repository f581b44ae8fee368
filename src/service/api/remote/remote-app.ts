import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { accountBasePath, apiBasePath, environments } from '../../../contract/interface/environment.ts'
import type { Config } from '../../platform/config.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { dashboard } from '../http/dashboard.ts'
import { listen, openHttpApp } from '../http/http-app.ts'
import { listOwnPages, ownPageRoutes } from '../http/own-pages.ts'
import { proxyTo } from './proxy.ts'

export type Remote = NonNullable<Config['remote']>
/** A running dashboard in front of an upstream service. */
export type RemoteDashboard = { address: string; close(): Promise<void> }

/** Answers 404 below a prefix; the dashboard then hides the missing features. */
function absent(app: FastifyInstance, prefix: string, message: string): void {
  app.all(`${prefix}*`, () => {
    throw new ServiceError(404, message)
  })
}

/**
 * Serves only the dashboard, in front of a service with the same REST interface. Stores nothing: no data directory, no
 * keys.
 * @throws StartError if the port is taken
 */
export async function startRemoteDashboard(config: Config, remote: Remote, log: Logger): Promise<RemoteDashboard> {
  const app = openHttpApp(config, log, null)
  for (const environment of environments) {
    const upstream = remote[environment]
    const prefix = apiBasePath(environment)
    if (upstream === null) absent(app, prefix, 'The transcription service behind this dashboard has no sandbox here.')
    else await app.register(proxyTo(upstream), { prefix })
    absent(app, accountBasePath(environment), 'The transcription service behind this dashboard has no account API.')
  }
  await app.register(ownPageRoutes, { config, clock: Date.now })
  await app.register(dashboard, {
    environments: environments.filter((one) => remote[one] !== null),
    hasDemo: false,
    listPages: () => listOwnPages(config),
  })
  return { address: await listen(app, config), close: () => app.close() }
}
