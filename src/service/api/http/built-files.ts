import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { encodingFor } from '../../platform/content-encoding.ts'
import { pagePolicy } from './security-headers.ts'

const aYearMs = 365 * 24 * 60 * 60 * 1_000

type Files = { root: string; prefix?: string; globIgnore: string[] }

/**
 * Serves files that a build made, with the content policy of pages, and adds `reply.sendFile`. Those below `assets/` have
 * content hashes in their names and are cached forever; everything else is revalidated. Files are sent precompressed if
 * the browser accepts that.
 */
export async function serveBuiltFiles(app: FastifyInstance, { root, prefix = '/', globIgnore }: Files): Promise<void> {
  app.addHook('onRequest', ({ headers, url }, reply, done) => {
    // Pages, workers and pictures obey it; for a font or styles the short one of all answers does.
    if (!/\.(woff2?|css)$/.test(url)) reply.header('content-security-policy', pagePolicy)
    // The plugin misreads `*` and encodings refused alongside it.
    headers['accept-encoding'] = encodingFor(headers['accept-encoding'], ['br', 'gzip']) ?? 'identity'
    done()
  })
  // One route per file: a wildcard would shadow the interfaces' own 404 handlers.
  await app.register(fastifyStatic, {
    root,
    prefix,
    wildcard: false,
    index: false,
    globIgnore: [...globIgnore, '**/*.{br,gz}'],
    preCompressed: true,
    cacheControl: false,
  })
  app.addHook('onSend', async (request, reply) => {
    if (reply.getHeader('cache-control') !== undefined) return
    const isImmutable = request.url.startsWith(`${prefix}assets/`) && reply.statusCode < 300
    reply.header('cache-control', isImmutable ? `public, max-age=${aYearMs / 1_000}, immutable` : 'no-cache')
  })
}
