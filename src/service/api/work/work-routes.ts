import type { FastifyInstance, FastifyRequest } from 'fastify'
import { staffOverview } from '../../../contract/work/staff.ts'
import { challenge } from '../../accounts/auth/authenticate.ts'
import type { Staff } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { heldBy, holdMs, longestHoldMs } from '../../workbench/claims.ts'
import { authenticateStaff } from '../../workbench/staff.ts'
import { heardShare } from '../../workbench/steps.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { addRoutes, noSuchRoute, type Route } from '../http/route.ts'
import { managerRoutes } from './manager-routes.ts'
import { partRoutes, returnRoutes } from './part-routes.ts'
import { soundRoutes } from './sound-routes.ts'
import { route, type WorkGiven } from './work-route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The staff member authenticated for a request to the work interface. */
    staff: Staff
  }
}

const renewEverySeconds = 30

/** @throws ServiceError 401; 429 as for every key (decision 16) */
async function requireStaff({ db }: Platform, limits: RateLimits, request: FastifyRequest): Promise<void> {
  const { authorization, 'sec-fetch-mode': mode } = request.headers
  const staff = await authenticateStaff(db, authorization)
  if (staff === undefined) {
    const headers = { 'www-authenticate': challenge(Array.isArray(mode) ? mode[0] : mode) }
    throw new ServiceError(401, 'A key of staff is required here; keys of accounts are not valid.', headers)
  }
  limits.take(staff.id, undefined, request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write')
  request.staff = staff
}

/** The work interface, for the operator's staff, with keys of their own. */
export const workResources = {
  Work: [
    route(
      'get /',
      'Who of the staff signed in, and how parts are held',
      { 200: staffOverview },
      async ({ platform: { db, clock }, staff: { id, name, role, last_four: key_last_four } }) => {
        const holds = {
          hold_seconds: holdMs / 1_000,
          renew_seconds: renewEverySeconds,
          longest_hold_seconds: longestHoldMs / 1_000,
          heard_share: heardShare,
        }
        return { id, name, role, key_last_four, ...holds, held: await heldBy(db, id, clock()) }
      },
    ),
    ...partRoutes,
    ...soundRoutes,
    ...managerRoutes,
    ...returnRoutes,
  ],
}

/** The work interface, as a plugin to register with the prefix of its base path. */
export function workRoutes(platform: Platform, limits: RateLimits) {
  const add = (app: FastifyInstance, isIn: (route: Route<WorkGiven>) => boolean) =>
    addRoutes(app, workResources.Work.filter(isIn), ({ staff }) => ({ platform, staff }))
  const isOpen = ({ authenticated }: Route<WorkGiven>) => authenticated === false
  const isManagers = (route: Route<WorkGiven>) => managerRoutes.includes(route)
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onSend', async (_request, reply) => {
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    })
    app.setNotFoundHandler((request) => {
      const words = 'There is no such resource in the work API.'
      throw noSuchRoute(workResources.Work, request, { base: app.prefix, words })
    })
    await app.register(async (open) => add(open, isOpen))
    await app.register(async (own) => {
      own.decorateRequest('staff')
      own.addHook('onRequest', (request) => requireStaff(platform, limits, request))
      add(own, (route) => !isOpen(route) && !isManagers(route))
      await own.register(async (managers) => {
        managers.addHook('onRequest', async ({ staff }) => {
          if (staff.role !== 'manager') throw new ServiceError(403, 'Only managers see this.')
        })
        add(managers, isManagers)
      })
    })
  }
}
