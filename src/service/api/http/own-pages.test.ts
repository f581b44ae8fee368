import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../start/cli/read-config.ts'
import { listOwnPages, ownPagePolicy, ownPageRoutes, renderOwnPage } from './own-pages.ts'

let dataDir: string
const write = (name: string, text: string) => writeFile(join(dataDir, 'pages', name), text)
const open = async (env: Record<string, string> = {}) => {
  const app = fastify()
  const config = readConfig({ data: dataDir }, env)
  await app.register(ownPageRoutes, { config, clock: () => Date.parse('2026-12-01T10:00:00Z'), frameFile: '/none' })
  return { config, get: async (url: string) => await app.inject({ url }) }
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-pages-'))
  await mkdir(join(dataDir, 'pages'))
})
afterEach(async () => await rm(dataDir, { recursive: true }))

describe('a page of the operator', () => {
  test('is absent until it is written, and again when it is removed', async () => {
    const { config, get } = await open()
    expect((await get('/privacy')).statusCode).toBe(404)
    expect(listOwnPages(config)).toBe('')
    await write('terms.md', '# Terms\n\nPay.')
    await write('privacy.md', '# What *we* keep\n\n- words')
    await write('else.md', '# Else')
    expect(listOwnPages(config)).toBe('privacy terms')
    const page = await get('/privacy')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers['content-security-policy']).toBe(ownPagePolicy)
    expect(page.body).toContain('<li>words</li>')
    expect((await get('/else')).statusCode).toBe(404)
    await unlink(join(dataDir, 'pages', 'privacy.md'))
    expect((await get('/privacy')).statusCode).toBe(404)
  })

  test('tells who follows a wrong address of a statement, in a page', async () => {
    const page = await (await open()).get('/closed/cls_none')
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.body).toContain('There is no closed account at this address.')
  })

  test('brings no markup, scripts, pictures or odd links', () => {
    const odd = [
      '<script>alert(1)</script>',
      'a <img src=x onerror=alert(1)> b',
      '[go](javascript:alert(1)) [go](JAVASCRIPT:alert(1)) [go](//evil.example) [go](data:text/html,x)',
      '![p](https://evil.example/p.png)',
      '[go](https://good.example/"onclick="x) [in](/terms) [m](mailto:a@b.example)',
    ]
    const html = renderOwnPage(odd.join('\n\n'))
    expect(html).not.toMatch(/<(script|img)|href="(javascript|data|\/\/)/i)
    expect(html).not.toMatch(/<[^>]*\son\w+=/)
    expect(html).toContain('&lt;script&gt;')
    expect(html).toContain('<a href="/terms">in</a> <a href="mailto:a@b.example">m</a>')
  })
})

test('security.txt is made of the support address, or is the operator’s; robots.txt likewise', async () => {
  expect((await (await open()).get('/.well-known/security.txt')).statusCode).toBe(404)
  const { get } = await open({ SUPPORT_EMAIL: 'help@parley.example', PUBLIC_URL: 'https://parley.example' })
  expect((await get('/.well-known/security.txt')).body).toBe(
    `Contact: mailto:help@parley.example
Expires: 2027-03-01T10:00:00Z
Preferred-Languages: en
Canonical: https://parley.example/.well-known/security.txt
`,
  )
  expect((await get('/robots.txt')).body).toMatch(/^User-agent: \*\nAllow: \/docs\n[\s\S]*Disallow: \/\n$/)
  await write('security.txt', 'Contact: tel:1')
  await write('robots.txt', 'User-agent: *\nDisallow:')
  expect((await get('/security.txt')).body).toBe('Contact: tel:1')
  expect((await get('/robots.txt')).body).toBe('User-agent: *\nDisallow:')
})
