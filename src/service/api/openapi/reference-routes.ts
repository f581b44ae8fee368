import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { serveBuiltFiles } from '../http/built-files.ts'

/** Output of `npm run build`, made by `src/reference`. */
const built = join(import.meta.dirname, '../../../../dist/docs')

/** The service's address in examples. */
export const exampleOrigin = 'https://parley.example'
/** The page at `/docs` itself. */
export const firstPage = 'start'

/** Serves a text whose examples name this service, since who reads it has no script that puts its address in. */
function serveText(app: FastifyInstance, path: string, file: string): void {
  const text = readFileSync(file, 'utf8')
  const type = file.endsWith('.md') ? 'text/markdown' : 'text/plain'
  app.get(path, (request, reply) =>
    reply
      .type(`${type}; charset=utf-8`)
      .header('vary', 'Host')
      .send(text.replaceAll(exampleOrigin, `${request.protocol}://${request.host}`)),
  )
}

/**
 * The pages of `/docs`, which are public: each as HTML and, with `.md`, as Markdown, and `/llms.txt`. Without a build
 * there are none.
 */
export async function referenceRoutes(app: FastifyInstance, folder: string = built): Promise<void> {
  const pages = join(folder, 'pages')
  if (!existsSync(pages)) return
  await serveBuiltFiles(app, {
    root: folder,
    prefix: '/docs/',
    globIgnore: ['pages/**', 'llms.txt', 'frame.html', '*.md'],
  })
  const serve = (path: string, file: string) => app.get(path, (_request, reply) => reply.sendFile(file))
  for (const { name, ext } of readdirSync(pages).map(parse)) {
    if (ext === '.html') serve(`/docs/${name}`, `pages/${name}.html`)
  }
  serve('/docs', `pages/${firstPage}.html`)
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.md')))
    serveText(app, `/docs/${name}`, join(folder, name))
  serveText(app, '/llms.txt', join(folder, 'llms.txt'))
}
