import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { StaffOverview } from '../../../contract/work/staff.ts'
import { challenge } from '../../accounts/auth/authenticate.ts'
import type { Staff } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { heldBy, holdMs, longestHoldMs } from '../../workbench/claims.ts'
import { authenticateStaff } from '../../workbench/staff.ts'
import { heardShare } from '../../workbench/steps.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { managerRoutes } from './manager-routes.ts'
import { partRoutes } from './part-routes.ts'
import { playbackOfPartRoutes, soundRoutes } from './sound-routes.ts'

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
  limits.take(staff.id, request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write')
  request.staff = staff
}

/** The work interface, for the operator's staff: a plugin to register with the prefix of its base path. */
export function workRoutes(platform: Platform, limits: RateLimits) {
  const { db, clock } = platform
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onSend', async (_request, reply) => {
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    })
    app.setNotFoundHandler(() => {
      throw new ServiceError(404, 'There is no such resource in the work API.')
    })
    await app.register((open) => soundRoutes(open, platform))
    await app.register(async (own) => {
      own.decorateRequest('staff')
      own.addHook('onRequest', (request) => requireStaff(platform, limits, request))
      own.get('', async ({ staff }): Promise<StaffOverview> => {
        const { id, name, role, last_four: key_last_four } = staff
        const holds = {
          hold_seconds: holdMs / 1_000,
          renew_seconds: renewEverySeconds,
          longest_hold_seconds: longestHoldMs / 1_000,
          heard_share: heardShare,
        }
        return { id, name, role, key_last_four, ...holds, held: await heldBy(db, id, clock()) }
      })
      await partRoutes(own, platform)
      await playbackOfPartRoutes(own, platform)
      await own.register((managers) => managerRoutes(managers, platform))
    })
  }
}
