import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiBasePath, type Environment } from '../../../contract/interface/environment.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { requireKey } from '../http/require-key.ts'
import { getFile, headFile, removeFile } from './file.ts'
import { createFile, listFiles } from './files.ts'

/**
 * Methods of the two resources (spec 4.1, 4.6; decision 6: HEAD of the collection is allowed, POST of a file is not).
 */
const resources = [
  { path: /^files$/, methods: 'GET, HEAD, POST' },
  { path: /^file\/[^/]+$/, methods: 'GET, HEAD, DELETE' },
] as const

/** The error for a request below `/v1/` that matches no route: 405 for a resource, 404 for anything else. */
function refuseMethod({ method, url }: FastifyRequest, base: string): ServiceError {
  const below = new URL(url, 'http://any').pathname.slice(base.length)
  const resource = resources.find(({ path }) => path.test(below))
  if (resource === undefined) {
    return new ServiceError(404, 'There is no such resource. Version 1 has files and file/<id>.')
  }
  const { methods } = resource
  return new ServiceError(405, `${method} is not allowed here. Allowed methods: ${methods}.`, { allow: methods })
}

/** The REST interface of one environment, as a plugin to register with the prefix of its base path (spec 4). */
export function v1Routes(platform: Platform, environment: Environment, limits: RateLimits) {
  return async (app: FastifyInstance): Promise<void> => {
    const base = apiBasePath(environment)
    app.decorateRequest('caller')
    app.addHook('onRequest', requireKey(platform, environment, limits))
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('cache-control', 'no-store')
      // This early because Fastify has its own error for a QUERY without body.
      done(request.is404 ? refuseMethod(request, base) : undefined)
    })
    // Handlers read bodies themselves; nothing is parsed before the checks.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _body, done) => done(null))

    app.get('files', { exposeHeadRoute: true }, listFiles(platform))
    app.post('files', { config: { readsBody: true } }, createFile(platform, limits))
    app.head('file/:target', headFile(platform))
    app.get('file/:target', { exposeHeadRoute: false }, getFile(platform))
    app.delete('file/:target', removeFile(platform))
    app.setNotFoundHandler((request) => {
      throw refuseMethod(request, base)
    })
  }
}
