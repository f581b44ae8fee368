import type { FastifyInstance } from 'fastify'
import { apiBasePath, type Environment } from '../../contract/environment.ts'
import { guard } from '../http/guard.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import type { Platform } from '../platform.ts'
import { refusal } from './allowed-methods.ts'
import { getFile, headFile, removeFile } from './file.ts'
import { createFile, listFiles } from './files.ts'

/** The REST interface of one environment, as a plugin to register with the prefix of its base path (spec 4). */
export function v1Routes(platform: Platform, environment: Environment, limits: RateLimits) {
  return async (app: FastifyInstance): Promise<void> => {
    app.decorateRequest('caller')
    app.addHook('onRequest', guard(platform, environment, limits))
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store')
      done()
    })
    // Bodies are the handlers' own to read; nothing is parsed on the way to a refusal.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _body, done) => done(null))

    app.get('files', { exposeHeadRoute: true }, listFiles(platform))
    app.post('files', { config: { readsBody: true } }, createFile(platform, limits))
    app.head('file/:target', headFile(platform))
    app.get('file/:target', { exposeHeadRoute: false }, getFile(platform))
    app.delete('file/:target', removeFile(platform))
    const base = apiBasePath(environment)
    app.setNotFoundHandler((request) => {
      throw refusal(request.method, new URL(request.url, 'http://any').pathname.slice(base.length))
    })
  }
}
