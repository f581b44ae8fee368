import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Marked } from 'marked'
import { ownPageNames } from '../../../contract/common/own-pages.ts'
import { escapeXml } from '../../../text/plain-text.ts'
import type { Config } from '../../platform/config.ts'
import { dataPaths } from '../../platform/data-directory.ts'
import { ServiceError } from '../../platform/service-error.ts'

/*
 * Pages that the operator writes: `pages/privacy.md` in the data directory is `/privacy`. Absent until it is there, read
 * at each request, and linked from the sign-in page. They are plain documents: their Markdown cannot bring markup,
 * scripts or pictures, and the content policy allows none.
 */

/** Written by the build, in the look of /docs. */
export const builtFrame = join(import.meta.dirname, '../../../../dist/docs/frame.html')

export const ownPagePolicy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const safeLink = /^(https?:|mailto:|tel:|\/(?!\/)|#)/i

const marked = new Marked({
  renderer: {
    html: ({ text }) => escapeXml(text),
    image: ({ text }) => escapeXml(text),
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens)
      return safeLink.test(href) ? `<a href="${escapeXml(href)}">${words}</a>` : words
    },
  },
})

/** Markdown of the operator as HTML without anything that loads or runs. */
export function renderOwnPage(markdown: string): string {
  return marked.parse(markdown, { async: false })
}

const pagesOf = ({ dataDir }: Pick<Config, 'dataDir'>) => dataPaths(dataDir).pages

/** Names of the pages that are there, separated by spaces, in their order. */
export function listOwnPages(config: Pick<Config, 'dataDir'>): string {
  return ownPageNames.filter((name) => existsSync(join(pagesOf(config), `${name}.md`))).join(' ')
}

/** A document in the look of /docs. @param frame of the build; null: there is none, and the document is plain */
export function frameDocument(frame: string | null, title: string, html: string, links: string): string {
  const plain = '<!doctype html><html lang="en"><meta charset="utf-8"><title>{{title}}</title><main>{{body}}</main>'
  const nav = links
    .split(' ')
    .filter(Boolean)
    .map((name) => `<a href="/${name}">${name[0]?.toUpperCase()}${name.slice(1)}</a> · `)
  const values = { title: escapeXml(title), body: html, links: nav.join('') }
  return (frame ?? plain).replaceAll(/\{\{(title|body|links)\}\}/g, (_, key: keyof typeof values) => values[key])
}

/** RFC 9116. It may not be older than a year, so one that is made of `SUPPORT_EMAIL` is made at each request. */
function securityText({ supportEmail, publicUrl }: Config, now: number): string | null {
  if (supportEmail === null) return null
  const canonical = publicUrl === null ? '' : `Canonical: ${publicUrl.origin}/.well-known/security.txt\n`
  const expires = new Date(now + 90 * 86_400_000).toISOString().replace(/\.\d+/, '')
  return `Contact: mailto:${supportEmail}\nExpires: ${expires}\nPreferred-Languages: en\n${canonical}`
}

/** Search engines get what is meant for everybody; nothing of customers can be reached without a key anyway. */
const robots = `User-agent: *
Allow: /docs
${ownPageNames.map((name) => `Allow: /${name}\n`).join('')}Disallow: /
`

const noStatement = `# Closed account

There is no closed account at this address. It may be mistyped, or the account was opened again.`

const absent = () => new ServiceError(404, 'There is no resource at this URL.')

type Given = {
  config: Config
  clock: () => number
  frameFile?: string
  /** the statement of a closed account as Markdown; null: there is none of that id */
  readStatement?: (id: string) => Promise<string | null>
}

/** Routes of the operator's pages, `robots.txt` and `security.txt`; files of those names replace what is made here. */
export async function ownPageRoutes(
  app: FastifyInstance,
  { config, clock, frameFile = builtFrame, readStatement }: Given,
): Promise<void> {
  const frame = existsSync(frameFile) ? readFileSync(frameFile, 'utf8') : null
  const read = (name: string) => readFile(join(pagesOf(config), name), 'utf8').catch(() => null)
  const send = (reply: FastifyReply, type: string, body: string) =>
    reply
      .header('cache-control', 'no-cache')
      .header('content-security-policy', ownPagePolicy)
      .type(`${type}; charset=utf-8`)
      .send(body)
  for (const name of ownPageNames) {
    app.get(`/${name}`, async (_request, reply) => {
      const markdown = await read(`${name}.md`)
      if (markdown === null) throw absent()
      const title = /^# +(.+)$/m.exec(markdown)?.[1] ?? name
      return send(reply, 'text/html', frameDocument(frame, title, renderOwnPage(markdown), listOwnPages(config)))
    })
  }
  app.get<{ Params: { id: string } }>('/closed/:id', async ({ params }, reply) => {
    const statement = (await readStatement?.(params.id)) ?? null
    // People come here by an address that they kept.
    const html = renderOwnPage(statement ?? noStatement)
    if (statement === null) reply.status(404)
    return send(reply, 'text/html', frameDocument(frame, 'Closed account', html, listOwnPages(config)))
  })
  app.get('/robots.txt', async (_request, reply) => send(reply, 'text/plain', (await read('robots.txt')) ?? robots))
  for (const path of ['/.well-known/security.txt', '/security.txt']) {
    app.get(path, async (_request, reply) => {
      const text = (await read('security.txt')) ?? securityText(config, clock())
      if (text === null) throw absent()
      return send(reply, 'text/plain', text)
    })
  }
}
