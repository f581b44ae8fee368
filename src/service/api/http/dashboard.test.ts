import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dashboard } from './dashboard.ts'

const page =
  '<html lang="en"><link href="/assets/code.js"><link href="/list.js" data-page="files">' +
  '<link data-page="transcript" href="/text.js"></html>'
const code = 'export const word = 1\n'.repeat(500)
let folder: string
let app: FastifyInstance
let address: string

/** Returns the response as sent over the socket: undici's `request` does not decompress. */
async function ask(path: string, asked: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const answer = await request(address + path, { method, headers: asked })
  // These vary with the connection, which undici ends after a HEAD, and with time.
  const { connection: _, 'keep-alive': __, date: ___, ...headers } = answer.headers
  return { status: answer.statusCode, headers, bytes: Buffer.from(await answer.body.arrayBuffer()) }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-built-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), page)
  await writeFile(join(folder, 'work.html'), '<html>work</html>')
  await writeFile(join(folder, 'assets/code.js'), code)
  await writeFile(join(folder, 'assets/code.js.br'), brotliCompressSync(code))
  await writeFile(join(folder, 'assets/code.js.gz'), gzipSync(code))
  await writeFile(join(folder, 'assets/font.woff2'), 'packed')
  app = fastify()
  await app.register(dashboard, { environments: ['live'], hasDemo: false, listPages: () => 'privacy', folder })
  address = await app.listen({ port: 0 })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

test('code is sent precompressed as the browser accepts, with separate validators', async () => {
  const plain = await ask('/assets/code.js')
  const brotli = await ask('/assets/code.js', { 'accept-encoding': 'gzip, deflate, br, zstd' })
  const gzip = await ask('/assets/code.js', { 'accept-encoding': 'gzip' })
  expect(plain.bytes.toString()).toBe(code)
  expect(brotliDecompressSync(brotli.bytes).toString()).toBe(code)
  expect(gunzipSync(gzip.bytes).toString()).toBe(code)
  expect([plain, brotli, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip'])
  expect(new Set([plain, brotli, gzip].map(({ headers }) => headers.etag)).size).toBe(3)
  for (const { headers, bytes } of [plain, brotli, gzip]) {
    expect(headers.vary).toBe('accept-encoding')
    expect(headers['content-type']).toBe('application/javascript; charset=utf-8')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'/)
    expect(headers['content-length']).toBe(String(bytes.length))
  }
})

test('HEAD, conditions and ranges apply to the copy that would be sent', async () => {
  const accept = { 'accept-encoding': 'br' }
  const { headers, bytes } = await ask('/assets/code.js', accept)
  const head = await ask('/assets/code.js', accept, 'HEAD')
  expect(head.headers).toEqual(headers)
  const known = { 'if-none-match': String(headers.etag) }
  const same = await ask('/assets/code.js', { ...accept, ...known })
  expect([same.status, same.headers.vary, same.bytes.length]).toEqual([304, 'accept-encoding', 0])
  expect((await ask('/assets/code.js', known)).status, 'known, but of another encoding').toBe(200)
  const part = await ask('/assets/code.js', { ...accept, range: 'bytes=3-9' })
  expect(part.status).toBe(206)
  expect(part.headers['content-range']).toBe(`bytes 3-9/${bytes.length}`)
  expect(part.bytes).toEqual(bytes.subarray(3, 10))
})

test('files without a compressed copy are sent as they are, and copies have no URL', async () => {
  const font = await ask('/assets/font.woff2', { 'accept-encoding': 'br, gzip' })
  expect([font.headers['content-encoding'], font.bytes.toString()]).toEqual([undefined, 'packed'])
  expect((await ask('/assets/code.js.br')).status).toBe(404)
})

test('a malformed Accept-Encoding gets the plain file', async () => {
  for (const nonsense of ['identity;q=0', '*;q=0', ';;q=,,=', 'br;q=0', 'x'.repeat(8_000), ',br;q=0'.repeat(1_000)]) {
    const answer = await ask('/assets/code.js', { 'accept-encoding': nonsense })
    expect([answer.status, answer.headers['content-encoding']], nonsense.slice(0, 20)).toEqual([200, undefined])
  }
})

test('the page preloads what its URL needs, and nothing of other pages', async () => {
  const linksAt = async (path: string) => {
    const { bytes } = await ask(path, { accept: 'text/html' })
    return Array.from(bytes.toString().matchAll(/href="([^"]+)"/g), ([, href]) => href)
  }
  expect(await linksAt('/')).toEqual(['/assets/code.js'])
  expect(await linksAt('/sign-in')).toEqual(['/assets/code.js'])
  expect(await linksAt('/live/files?show=ready')).toEqual(['/assets/code.js', '/list.js'])
  expect(await linksAt('/sandbox/files/f0mwr')).toEqual(['/assets/code.js', '/text.js'])
  expect(await linksAt('/live/files/f0mwr/receipt')).toEqual(['/assets/code.js'])
})
