import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../contract/environment.ts'
import { authenticate, type Caller } from '../auth/authenticate.ts'
import type { Platform } from '../platform.ts'
import type { RateLimits } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; set by `guard` before any handler behind it runs. */
    caller: Caller
  }
}

const lastUsedEveryMs = 60_000
const notedKeys = 10_000

/**
 * What every request of an environment's interfaces passes first, as an `onRequest` hook: it has a key of that
 * environment (spec 5), and not more of them come than one key may send (decision 16). Register it in the plugin that
 * holds the routes; all plugins share the limits.
 */
export function guard(platform: Platform, environment: Environment, limits: RateLimits) {
  const noted = new Map<string, number>()

  /** Keeps when a key was last used, to the minute: more would be a write for every read. */
  function noteUse({ keyId, keyLastUsedAt }: Caller): void {
    const now = platform.clock()
    if (now - Math.max(noted.get(keyId) ?? 0, keyLastUsedAt ?? 0) < lastUsedEveryMs) return
    if (noted.size >= notedKeys) noted.clear()
    noted.set(keyId, now)
    platform.db
      .updateTable('api_keys')
      .set({ last_used_at: now })
      .where('id', '=', keyId)
      .execute()
      .catch((error: unknown) => platform.log.warn({ err: error }, 'the last use of a key could not be noted'))
  }

  return async (request: FastifyRequest): Promise<void> => {
    request.caller = authenticate(platform.hotReads, platform.clock, environment, request.headers)
    const { method } = request
    limits.take(request.caller.keyId, method === 'GET' || method === 'HEAD' ? 'read' : 'write')
    noteUse(request.caller)
  }
}
