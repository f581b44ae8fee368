import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../../contract/interface/environment.ts'
import { authenticate, type Caller } from '../../accounts/auth/authenticate.ts'
import { type Needs, requireRight } from '../../accounts/auth/key-limits.ts'
import type { Config } from '../../platform/config.ts'
import { actAs } from '../../platform/db/audit-log.ts'
import { afterRead } from '../../platform/db/hot-reads.ts'
import { isPublicAddress } from '../../platform/net/public-address.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import type { RateLimits } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; set by `requireKey` before any handler behind it runs. */
    caller: Caller
  }
  interface FastifyContextConfig {
    /** of routes with a key */
    needs?: Needs
  }
}

/**
 * `onRequest` hook for authentication, rights and rate limits: a request needs a key of the environment (spec 5) that may
 * do what the route does, and each key is rate limited (decision 16). Register it in each plugin of routes; all plugins
 * share the limits.
 */
export function requireKey(platform: Platform, environment: Environment, limits: RateLimits) {
  // Per-request hooks use `done`: the promises of a dozen hooks would cost as much as the handler.
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const enter = (caller: Caller) => {
      request.caller = caller
      const { method } = request
      limits.take(caller.keyId, caller.account.id, method === 'GET' || method === 'HEAD' ? 'read' : 'write')
      platform.keyUse.note(caller.keyId, caller.lastUsedAt, platform.clock())
      // Looking up the route's needs costs more than the rest: few keys have limits.
      const needs = caller.limits === null ? undefined : request.routeOptions.config.needs
      if (needs !== undefined) requireRight(caller, needs)
      if (caller.account.closed_at !== null) requireOpen(request)
    }
    const entered = afterRead(authenticate(platform.hotReads, platform.clock, environment, request.headers), enter)
    // Audit log entries of this request are attributed to this key.
    const proceed = () =>
      actAs(
        {
          keyId: request.caller.keyId,
          address: () => getClientAddress(request, platform.config),
          origin: () => getOwnOrigin(request, platform.config),
        },
        done,
      )
    if (entered instanceof Promise) entered.then(proceed, done)
    else proceed()
  }
}

/** A closed account reads, takes its copy and its money along, and comes back; it changes nothing. @throws ServiceError 403 */
function requireOpen({ method, routeOptions }: FastifyRequest): void {
  if (method === 'GET' || method === 'HEAD' || routeOptions.config.needs?.whileClosed === true) return
  throw new ServiceError(
    403,
    'This account is closed: until it is erased it can be read and exported, and its balance paid back, and nothing else. Open it again at Settings › Account.',
  )
}

export type OwnOrigin = Pick<Config, 'publicUrl' | 'tls'>

/** The origin by which a request has reached this service. Requests from other origins have been refused earlier. */
export function getOwnOrigin({ headers }: FastifyRequest, { publicUrl, tls }: OwnOrigin): string {
  return publicUrl?.origin ?? headers.origin ?? `${tls === null ? 'http' : 'https'}://${headers.host}`
}

/**
 * Returns a request's client IP. Behind a proxy on this machine or network (`PUBLIC_URL`), that is the last entry of
 * `X-Forwarded-For`, added by that proxy; earlier entries come from the client and are not trusted.
 */
export function getClientAddress(
  { socket, headers }: FastifyRequest,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): string {
  const own = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const told = headers['x-forwarded-for']
  if (publicUrl === null || told === undefined || isPublicAddress(own)) return own
  return [told].flat().join(',').split(',').at(-1)?.trim().slice(0, 45) || own
}
