import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Guard, openGuard } from '../net/outbound-guard.ts'
import type { BlobStore } from './blob-store.ts'
import { fetchLink } from './fetch-link.ts'
import { openFsBlobStore } from './fs-blob-store.ts'
import { readContent } from './testing/read-content.ts'

let root: string
let blobs: BlobStore
let guard: Guard
let base: string
let listener: RequestListener
let close: () => Promise<void>

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-link-'))
  blobs = await openFsBlobStore(root)
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  base = `http://127.0.0.1:${port}`
  guard = openGuard([`127.0.0.1:${port}`])
  close = async () => {
    await guard.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
afterEach(async () => {
  await close()
  await rm(root, { recursive: true })
})

const staging = () => readdir(join(root, 'staging'))
const bounds = { maxBytes: 1_000, idleMs: 60_000, totalMs: 60_000, firstMs: 60_000 }
const cannot = { status: 400, message: expect.stringContaining('The link could not be downloaded') }

it('fetches a complete recording, with its type', async () => {
  const content = Buffer.alloc(3_000_000, 7)
  listener = (_request, response) => response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(content)
  const { staged, fileName, contentType } = await fetchLink(guard, blobs, {
    account: 'a',
    link: ` ${base}/talks/Ann%20%26%20Bob.mp3?x=1#y `,
  })
  await staged.finish()
  expect((await staged.withMedia(readContent)).equals(content)).toBe(true)
  expect({ fileName, contentType }).toEqual({ fileName: 'Ann & Bob.mp3', contentType: 'audio/mpeg' })
  await staged.discard()
})

it.each([
  ['attachment; filename="talk.wav"', '/a.mp3', 'talk.wav'],
  ['attachment; filename="x.wav"; filename*=UTF-8\'\'Gespr%C3%A4ch.wav', '/a.mp3', 'Gespräch.wav'],
  [`attachment; filename="${Buffer.from('Gespräch.wav').toString('latin1')}"`, '/a.mp3', 'Gespräch.wav'],
  ['inline', '/a.mp3', 'a.mp3'],
  ['attachment; filename=', '/a.mp3', 'a.mp3'],
  ['', '/%E0%A4%A', '%E0%A4%A'],
  ['', '/', '127.0.0.1'],
])('takes the name from %j and %s', async (disposition, path, name) => {
  listener = (_request, response) =>
    response.writeHead(200, disposition === '' ? {} : { 'content-disposition': disposition }).end('x')
  const { staged, fileName } = await fetchLink(guard, blobs, { account: 'a', link: base + path })
  expect(fileName).toBe(name)
  await staged.discard()
})

it('ignores a download type', async () => {
  listener = (_request, response) => response.writeHead(200, { 'content-type': 'application/force-download' }).end('x')
  const { staged, contentType } = await fetchLink(guard, blobs, { account: 'a', link: base })
  expect(contentType).toBeUndefined()
  await staged.discard()
})

it('follows five redirects, and names the recording by the link', async () => {
  listener = (request, response) => {
    const hops = Number(new URL(request.url ?? '', base).searchParams.get('hops') ?? 5)
    if (hops === 0) response.end('x')
    else response.writeHead(302, { location: `/cdn?hops=${hops - 1}` }).end()
  }
  const { staged, fileName } = await fetchLink(guard, blobs, { account: 'a', link: `${base}/talk.flac` })
  expect(fileName).toBe('talk.flac')
  await staged.discard()
  await expect(fetchLink(guard, blobs, { account: 'a', link: `${base}/talk.flac?hops=6` })).rejects.toMatchObject(
    cannot,
  )
})

it.each([
  ['a private address', 'http://10.0.0.1/a.mp3'],
  ['this machine by another name', 'http://localhost:4600/a.mp3'],
  ['the metadata service', 'http://169.254.169.254/'],
  ['a file', 'file:///etc/passwd'],
  ['nonsense', 'http://'],
])('rechecks each redirect: to %s', async (_, location) => {
  listener = (_request, response) => response.writeHead(302, { location }).end()
  await expect(fetchLink(guard, blobs, { account: 'a', link: `${base}/a.mp3` })).rejects.toMatchObject(cannot)
})

it.each([201, 204, 304, 401, 403, 404, 500])('does not accept a response with %i as a recording', async (status) => {
  listener = (_request, response) => response.writeHead(status).end()
  await expect(fetchLink(guard, blobs, { account: 'a', link: `${base}/a.mp3` })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(`its server answered ${status}. It must be`),
  })
})

it('gives the same message for a closed port, a private address and an unknown name', async () => {
  const messages = await Promise.all(
    ['http://127.0.0.1:9/a.mp3', 'http://10.1.2.3/a.mp3', 'http://[::1]/a.mp3', 'http://nowhere.invalid/a.mp3'].map(
      (link) => fetchLink(guard, blobs, { account: 'a', link }).then(String, (error: Error) => error.message),
    ),
  )
  expect(new Set(messages).size).toBe(1)
})

it.each([
  '',
  'talk.mp3',
  '//example.com/a.mp3',
  'ftp://example.com/a.mp3',
  'http://u:p@example.com/a.mp3',
  'x'.repeat(9_000),
])('refuses an invalid link: %.40s', async (link) => {
  await expect(fetchLink(guard, blobs, { account: 'a', link })).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/^link/),
  })
})

it('is 413 above the limit, by the declared length and by count, and leaves nothing', async () => {
  listener = (request, response) => {
    if (request.url === '/declared') response.writeHead(200, { 'content-length': '1001' }).write('x')
    else response.end('x'.repeat(500) + 'y'.repeat(501))
  }
  for (const path of ['/declared', '/counted']) {
    await expect(fetchLink(guard, blobs, { account: 'a', link: base + path }, undefined, bounds)).rejects.toMatchObject(
      { status: 413 },
    )
  }
  expect(await staging()).toEqual([])
})

it('accepts exactly the limit', async () => {
  listener = (_request, response) => response.end('x'.repeat(1_000))
  const { staged } = await fetchLink(guard, blobs, { account: 'a', link: base }, undefined, bounds)
  expect(staged.bytes).toBe(1_000)
  await staged.discard()
})

it.each([
  ['breaks off', {}],
  ['falls silent', { idleMs: 300 }],
  ['takes for ever', { totalMs: 300 }],
])('leaves nothing of a download that %s', async (how, limits) => {
  listener = (_request, response) => {
    response.writeHead(200, { 'content-length': '500' }).write('x'.repeat(100))
    if (how === 'breaks off') response.socket?.end()
  }
  // The last bytes before an end of the connection may be lost with it.
  const error = { status: 400, message: expect.stringMatching(/broke off after 100 bytes|could not be downloaded/) }
  await expect(
    fetchLink(guard, blobs, { account: 'a', link: base }, undefined, { ...bounds, ...limits }),
  ).rejects.toMatchObject(error)
  expect(await staging()).toEqual([])
})

it('aborts a link that drips or redirects for long, but none that is fast enough', async () => {
  let drip: NodeJS.Timeout | undefined
  listener = ({ url }, response) => {
    if (url === '/moved') setTimeout(() => response.writeHead(302, { location: '/moved' }).end(), 100)
    else drip = setInterval(() => response.write('x'.repeat(url === '/fast' ? 4_000 : 1)), 10)
    if (url === '/fast') setTimeout(() => response.end(), 500)
  }
  const limits = { ...bounds, maxBytes: 1_000_000, firstMs: 200 }
  const slow = { status: 400, message: expect.stringMatching(/^The link sends too slowly/) }
  for (const path of ['/moved', '/drip']) {
    await expect(fetchLink(guard, blobs, { account: 'a', link: base + path }, undefined, limits)).rejects.toMatchObject(
      slow,
    )
  }
  clearInterval(drip)
  expect(await staging()).toEqual([])
  const { staged } = await fetchLink(guard, blobs, { account: 'a', link: `${base}/fast` }, undefined, limits)
  clearInterval(drip)
  expect(staged.bytes).toBeGreaterThan(20_000)
  await staged.discard()
})

it('stops when its caller does', async () => {
  const stop = new AbortController()
  listener = (_request, response) => {
    response.writeHead(200).write('x')
    stop.abort()
  }
  await expect(fetchLink(guard, blobs, { account: 'a', link: base }, stop.signal)).rejects.toMatchObject(cannot)
  expect(await staging()).toEqual([])
})

/** Serves bytes in parts: each response ends 400 kB after where it begins, whatever length it states. */
function brokenServer(
  content: Buffer,
  head: Record<string, string>,
  asked: (string | undefined)[] = [],
): RequestListener {
  return ({ headers: { range } }, response) => {
    asked.push(range)
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    const rest = content.subarray(from)
    const extent =
      range === undefined ? {} : { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }
    response.writeHead(range === undefined ? 200 : 206, { ...head, ...extent, 'content-length': rest.length })
    if (rest.length <= 400_000) response.end(rest)
    else response.write(rest.subarray(0, 400_000), () => response.destroy())
  }
}

const numbered = Buffer.from(Array.from({ length: 1_000_000 }, (_, index) => index % 251))

it('resumes a download that breaks off, if its server can tell that the content is the same', async () => {
  const asked: (string | undefined)[] = []
  listener = brokenServer(numbered, { etag: '"v1"', 'accept-ranges': 'bytes' }, asked)
  const { staged } = await fetchLink(guard, blobs, { account: 'a', link: base })
  await staged.finish()
  expect((await staged.withMedia(readContent)).equals(numbered)).toBe(true)
  expect(asked.length, 'what was received is not requested again').toBeLessThan(6)
  expect(asked[1]).toMatch(/^bytes=[1-9]\d{4,}-$/)
  await staged.discard()
  for (const head of [{ etag: '"v1"' }, { 'accept-ranges': 'bytes' }, { etag: 'W/"v1"', 'accept-ranges': 'bytes' }]) {
    listener = brokenServer(numbered, head as Record<string, string>)
    const error = { message: expect.stringMatching(/broke off after [1-4]\d\d,\d{3} bytes/) }
    await expect(fetchLink(guard, blobs, { account: 'a', link: base })).rejects.toMatchObject(error)
  }
  expect(await staging()).toEqual([])
})

it('does not join two contents, nor more than five parts', async () => {
  const versioned = { etag: '"v1"', 'accept-ranges': 'bytes' }
  const serve = brokenServer(numbered, versioned)
  listener = (request, response) => {
    if (request.headers.range === undefined) serve(request, response)
    else response.writeHead(200, { etag: '"v2"' }).end('y'.repeat(1_000))
  }
  await expect(fetchLink(guard, blobs, { account: 'a', link: base })).rejects.toMatchObject({ status: 400 })
  listener = brokenServer(Buffer.alloc(5_000_000), versioned)
  await expect(fetchLink(guard, blobs, { account: 'a', link: base })).rejects.toMatchObject({
    message: expect.stringMatching(/broke off after [12],\d{3},\d{3} bytes/),
  })
  expect(await staging()).toEqual([])
})

it('takes a 206 that nobody asked for, if it begins at the beginning, and requests the rest', async () => {
  listener = ({ headers: { range } }, response) => {
    const [from, to] = range === undefined ? [0, 599] : [600, 999]
    const head = { etag: '"v1"', 'content-range': `bytes ${from}-${to}/1000` }
    response.writeHead(206, head).end(numbered.subarray(from, to + 1))
  }
  const { staged } = await fetchLink(guard, blobs, { account: 'a', link: base }, undefined, bounds)
  await staged.finish()
  expect((await staged.withMedia(readContent)).equals(numbered.subarray(0, 1_000))).toBe(true)
  await staged.discard()
  listener = (_request, response) => response.writeHead(206, { 'content-range': 'bytes 5-9/10' }).end('xxxxx')
  await expect(fetchLink(guard, blobs, { account: 'a', link: base })).rejects.toMatchObject(cannot)
})

it('follows a redirect to an address with unescaped letters', async () => {
  listener = ({ url }, response) => {
    if (url === '/a') response.writeHead(302, { location: Buffer.from('/Gespräch.wav').toString('latin1') }).end()
    else response.writeHead(url === '/Gespr%C3%A4ch.wav' ? 200 : 404).end('x')
  }
  const { staged, fileName } = await fetchLink(guard, blobs, { account: 'a', link: `${base}/a` })
  expect(fileName).toBe('Gespräch.wav')
  await staged.discard()
})
