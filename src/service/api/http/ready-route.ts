import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../platform/platform.ts'

const answersWithinMs = 2_000

/**
 * `GET /readyz`, for load balancers: whether this process should receive requests. 503 if it is shutting down, or the
 * database does not respond within 2 s or does not match this version. `/healthz` only reports that the process is
 * alive.
 */
export function readyRoute(app: FastifyInstance, { leaving, checkStore }: Platform): void {
  let checking: Promise<void> | null = null
  // One check at a time, shared by concurrent callers, who need no key.
  const check = () =>
    (checking ??= checkStore().finally(() => {
      checking = null
    }))
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (leaving.aborted) return reply.code(503).send({ status: 'ending' })
    const late = Promise.withResolvers<never>()
    using _ = setTimeout(() => late.reject(new Error('late')), answersWithinMs)
    try {
      await Promise.race([check(), late.promise])
      return { status: 'ready' }
    } catch {
      return reply.code(503).send({ status: 'no database' })
    }
  })
}
