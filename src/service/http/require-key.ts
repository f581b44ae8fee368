import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../contract/environment.ts'
import { authenticate, type Caller } from '../auth/authenticate.ts'
import type { Platform } from '../platform.ts'
import type { RateLimits } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; set by `requireKey` before any handler behind it runs. */
    caller: Caller
  }
}

/**
 * What every request of an environment's interfaces passes first, as an `onRequest` hook: it has a key of that
 * environment (spec 5), and not more of them come than one key may send (decision 16). Register it in the plugin that
 * holds the routes; all plugins share the limits.
 */
export function requireKey(platform: Platform, environment: Environment, limits: RateLimits) {
  // Hooks of every request answer by `done`: promises of a dozen of them cost as much as the handler.
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    request.caller = authenticate(platform.hotReads, platform.clock, environment, request.headers)
    const { method } = request
    const { keyId, lastUsedAt } = request.caller
    limits.take(keyId, method === 'GET' || method === 'HEAD' ? 'read' : 'write')
    platform.keyUse.note(keyId, lastUsedAt, platform.clock())
    done()
  }
}
