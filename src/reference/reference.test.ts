import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApiDocument } from '../service/api/openapi/document.ts'
import { referenceRoutes } from '../service/api/openapi/reference-routes.ts'
import { formerAnchors } from './contents.ts'
import { listOperations, operationId } from './operations.ts'
import { parseCurl } from './parse-curl.ts'
import { renderPage } from './render-page.ts'
import { writeReference } from './write-reference.ts'

let folder: string
const app = fastify()
const prices = { describe: () => 'USD a minute since 2026-01-01' }
/** HTML by the address of its page. */
const pages = new Map<string, string>()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-reference-'))
  writeReference(folder, { script: '/docs/assets/main.js', styles: ['/docs/assets/main.css'], font: null })
  await app.register((docs) => referenceRoutes(docs, { publicUrl: null, tls: null }, prices, folder))
  for (const file of await readdir(join(folder, 'pages'))) {
    pages.set(`/docs/${file.replace('.html', '')}`, await readFile(join(folder, 'pages', file), 'utf8'))
  }
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const idsIn = (html: string) => [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)

it('describes every operation on exactly one page', () => {
  const all = [...pages.values()].join('\n')
  const shown = [...all.matchAll(/<details class="operation" id="([^"]+)"/g)].map(([, id]) => id)
  expect(shown.sort()).toEqual(listOperations(openApiDocument()).map(operationId).sort())
})

it('has every page as Markdown at the same address, and lists them for language models', async () => {
  const list = (await app.inject('/llms.txt')).body
  for (const address of pages.keys()) {
    const page = await app.inject(address)
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const markdown = await app.inject(`${address}.md`)
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(markdown.body).toMatch(/^# \S/)
    expect(markdown.body).not.toMatch(/\{\{|\{#/)
    expect(list).toContain(`](${address}.md): `)
  }
  expect((await app.inject('/docs')).body).toBe(pages.get('/docs/start'))
  for (const kind of ['', '.md'])
    expect((await app.inject(`/docs/options${kind}`)).body).toContain(`This service: ${prices.describe()}`)
})

it('links to pages and anchors that are there', () => {
  const outside =
    /^(https:\/\/|\/(docs\/assets\/|openapi|llms\.txt|notices\.txt|favicon\.svg|(live|sandbox)\/)|\/$|\/docs$)/
  for (const [address, html] of pages) {
    const ids = idsIn(html)
    expect(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      address,
    ).toEqual([])
    for (const [, link = ''] of html.matchAll(/href="([^"]+)"/g)) {
      if (outside.test(link) || link.endsWith('.md')) continue
      const [page, anchor] = link.startsWith('#') ? [address, link.slice(1)] : link.split('#')
      const target = pages.get(page ?? '')
      expect(target, `${link} on ${address}`).toBeDefined()
      if (anchor !== undefined) expect(idsIn(target ?? ''), `${link} on ${address}`).toContain(anchor)
    }
  }
})

it('leads on from anchors of the page that /docs was', () => {
  const start = pages.get('/docs/start') ?? ''
  for (const [anchor, to] of Object.entries(formerAnchors)) {
    expect(start).toContain(`<li id="${anchor}" data-leads="/docs/${to}">`)
    const [page, target] = to.split('#')
    if (target !== undefined) expect(idsIn(pages.get(`/docs/${page}`) ?? ''), to).toContain(target)
  }
})

it('needs no script and no style of its own, which the content policy forbids', () => {
  for (const [address, html] of pages) {
    expect(html.replaceAll(/<script type="module" src="[^"]+"><\/script>/g, ''), address).not.toMatch(
      /<script|<style|\sstyle=|\son\w+=|javascript:/i,
    )
  }
})

it('shows each example in every language, or another one in its place', () => {
  const shown = [...pages.values()].flatMap((html) =>
    [...html.matchAll(/<div class="example"[^>]*>(.*?)(?=<div class="example"|<\/article>|<h[23])/gs)].map(
      ([, example = '']) =>
        [...example.matchAll(/data-shown="([^"]+)"/g)].flatMap(([, of = '']) => of.split(' ')).toSorted(),
    ),
  )
  const several = shown.filter((languages) => languages.length > 0)
  expect(several.length).toBeGreaterThan(20)
  for (const languages of several) expect(languages).toEqual(['python', 'sh', 'ts'])
})

it('refuses headings without an id, facts that there are not, and commands that cannot be tried', () => {
  expect(() => renderPage('x', '# Title\n\n## Nameless\n')).toThrow('has no id')
  expect(() => renderPage('x', '# Title\n\n{{ nothing }}\n')).toThrow('no fact "nothing"')
  expect(() => renderPage('x', '# Title\n\n{{ operations get ^/nowhere }}\n')).toThrow('No operation')
  expect(() => parseCurl('curl --proxy x https://a.example/b', 'https://a.example')).toThrow('cannot be tried')
})

it('reads curl commands as a shell does', () => {
  const command = `curl -X PUT 'https://a.example/b?c=d' \\\n  -u key: \\\n  -H 'If-Match: "3"' \\\n  --json '{"e": "f g"}'`
  expect(parseCurl(command, 'https://a.example')).toEqual({
    method: 'PUT',
    path: '/b?c=d',
    headers: { 'If-Match': '"3"', 'Content-Type': 'application/json' },
    body: '{"e": "f g"}',
    form: null,
  })
})
