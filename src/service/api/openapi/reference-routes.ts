import { existsSync, readdirSync } from 'node:fs'
import { join, parse } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { serveBuiltFiles } from '../http/built-files.ts'

/** Output of `npm run build`, made by `src/reference`. */
const built = join(import.meta.dirname, '../../../../dist/docs')

/** The page at `/docs` itself. */
export const firstPage = 'start'

/**
 * The pages of `/docs`, which are public: each as HTML and, with `.md`, as Markdown, and `/llms.txt`. Without a build
 * there are none.
 */
export async function referenceRoutes(app: FastifyInstance, folder: string = built): Promise<void> {
  const pages = join(folder, 'pages')
  if (!existsSync(pages)) return
  await serveBuiltFiles(app, { root: folder, prefix: '/docs/', globIgnore: ['pages/**', 'llms.txt', 'frame.html'] })
  const serve = (path: string, file: string) => app.get(path, (_request, reply) => reply.sendFile(file))
  for (const { name, ext } of readdirSync(pages).map(parse)) {
    if (ext === '.html') serve(`/docs/${name}`, `pages/${name}.html`)
  }
  serve('/docs', `pages/${firstPage}.html`)
  serve('/llms.txt', 'llms.txt')
}
