import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { serveBuiltFiles } from '../http/built-files.ts'
import { getOwnOrigin, type OwnOrigin } from '../http/require-key.ts'

/** Output of `npm run build`, made by `src/reference`. */
const built = join(import.meta.dirname, '../../../../dist/docs')

/** The service's address in examples. */
export const exampleOrigin = 'https://parley.example'
/** The page at `/docs` itself. */
export const firstPage = 'start'

/** In the page of options: where the rates of this service stand. */
const ratesMark = '(rates of this service)'
type Prices = { describe: () => string }

/** Serves a text whose examples name this service, since who reads it has no script that puts its address in. */
function serveText(app: FastifyInstance, config: OwnOrigin, prices: Prices, path: string, file: string): void {
  const type = file.endsWith('.md') ? 'text/markdown' : 'text/plain'
  app.get(path, async (request, reply) => {
    const text = await readFile(file, 'utf8')
    const own = text.replaceAll(exampleOrigin, getOwnOrigin(request, config)).replace(ratesMark, prices.describe)
    return reply.type(`${type}; charset=utf-8`).header('vary', 'Host').send(own)
  })
}

/** Serves the page of options with the rates of this service. */
function servePriced(app: FastifyInstance, prices: Prices, file: string): void {
  app.get('/docs/options', async (_request, reply) => {
    const html = await readFile(file, 'utf8')
    return reply.type('text/html; charset=utf-8').send(html.replace(ratesMark, prices.describe))
  })
}

/**
 * The pages of `/docs`, which are public: each as HTML and, with `.md`, as Markdown, and `/llms.txt`. Without a build
 * there are none.
 */
export async function referenceRoutes(
  app: FastifyInstance,
  config: OwnOrigin,
  prices: Prices,
  folder: string = built,
): Promise<void> {
  const pages = join(folder, 'pages')
  if (!existsSync(pages)) return
  await serveBuiltFiles(app, {
    root: folder,
    prefix: '/docs/',
    globIgnore: ['pages/**', 'llms.txt', 'frame.html', '*.md'],
  })
  const serve = (path: string, file: string) => app.get(path, (_request, reply) => reply.sendFile(file))
  for (const { name, ext } of readdirSync(pages).map(parse)) {
    if (ext !== '.html') continue
    if (name === 'options') servePriced(app, prices, join(pages, `${name}.html`))
    else serve(`/docs/${name}`, `pages/${name}.html`)
  }
  serve('/docs', `pages/${firstPage}.html`)
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.md')))
    serveText(app, config, prices, `/docs/${name}`, join(folder, name))
  serveText(app, config, prices, '/llms.txt', join(folder, 'llms.txt'))
}
