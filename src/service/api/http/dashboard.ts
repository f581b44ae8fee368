import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { preloadedPages } from '../../../contract/common/preloaded-pages.ts'
import type { Environment } from '../../../contract/interface/environment.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { serveBuiltFiles } from './built-files.ts'

/** Output of `npm run build`, next to `src`. */
const built = join(import.meta.dirname, '../../../../dist')
/** API paths, which get JSON errors instead of the page, even if only the trailing slash is missing. */
const interfaces = /^\/(sandbox\/)?(v1|account|uploads|playback|payments|work\/api)(\/|$)/

/** What the sign-in page offers before there is an API key. */
type Offers = {
  environments: readonly Environment[]
  hasDemo: boolean
  /** names of the operator's pages that are there at present, separated by spaces */
  listPages: () => string
}

/** Matches a page's URLs in every environment, given its path in the router's syntax. */
const makePathPattern = (path: string) => new RegExp(`^/\\w+/${path.replaceAll(/:\w+/g, '[^/]+')}/?$`)

/**
 * Returns the dashboard's single page for a URL, or the staff's page below `/work`. Attributes on the root element say
 * what is offered, which saves a request; preload links of other pages (`data-page`) are removed.
 */
function pageFor(
  { environments, hasDemo }: Omit<Offers, 'listPages'>,
  ownPages: string,
  folder: string,
): (pathname: string) => Buffer {
  const attributes = `data-environments="${environments.join(' ')}" data-demo="${hasDemo}" data-pages="${ownPages}"`
  const page = readFileSync(join(folder, 'index.html'), 'utf8').replace('<html ', `<html ${attributes} `)
  const bodyOf = (kind: string) =>
    Buffer.from(page.replaceAll(/<link [^>]*data-page="(\w+)"[^>]*>\s*/g, (link, only) => (only === kind ? link : '')))
  // Built once: the compression cache is keyed by buffer.
  const bodies = Object.entries(preloadedPages).map(([kind, path]) => ({
    address: makePathPattern(path),
    body: bodyOf(kind),
  }))
  bodies.unshift({ address: /^\/work(\/|$)/, body: readFileSync(join(folder, 'work.html')) })
  const other = bodyOf('other')
  return (pathname) => bodies.find(({ address }) => address.test(pathname))?.body ?? other
}

/**
 * Serves the built dashboard: its files, and its single page for every path its router may know.
 */
export async function dashboard(
  app: FastifyInstance,
  { folder = built, listPages, ...offers }: Offers & { folder?: string },
): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    app.setNotFoundHandler(() => {
      throw new ServiceError(404, 'The dashboard is not built: run npm run build.')
    })
    return
  }
  await serveBuiltFiles(app, { root: folder, globIgnore: ['*.html', 'docs/**'] })
  /** by which of the operator's pages there are: few sets, as they seldom change */
  const made = new Map<string, ReturnType<typeof pageFor>>()
  const sendPage = (reply: FastifyReply, pathname: string) => {
    const ownPages = listPages()
    const pageAt = made.get(ownPages) ?? pageFor(offers, ownPages, folder)
    made.set(ownPages, pageAt)
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(pageAt(pathname))
  }
  app.get('/', (_request, reply) => sendPage(reply, '/'))
  app.setNotFoundHandler(async (request, reply) => {
    // Only browser navigation gets the page; an API client with a wrong path gets an error.
    const isPage = /^(GET|HEAD)$/.test(request.method) && (request.headers.accept ?? '').includes('text/html')
    const { pathname } = new URL(request.url, 'http://any')
    if (!isPage || interfaces.test(pathname) || /\.[a-z0-9]{2,8}$/i.test(pathname)) {
      throw new ServiceError(404, 'There is no resource at this URL.')
    }
    return sendPage(reply, pathname)
  })
}
