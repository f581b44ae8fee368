import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type FaultProxy, s3Error, startFaultProxy } from '../../../testing/fault-proxy.ts'
import { makeBucket } from '../../../testing/test-bucket.ts'
import { makeTone } from '../../../testing/test-service.ts'
import { decode, firstTrack } from '../decode.ts'
import { probeMedia } from '../probe.ts'
import { readContent } from '../testing/read-content.ts'
import { openBucket } from './bucket.ts'
import { S3BlobStore } from './s3-blob-store.ts'

let proxy: FaultProxy
let store: S3BlobStore
let scratch: string
beforeEach(async () => {
  const config = await makeBucket()
  if (config.endpoint === null) throw new Error('The gateway has an address.')
  proxy = await startFaultProxy(config.endpoint)
  scratch = await mkdtemp(join(tmpdir(), 'parley-s3-'))
  store = new S3BlobStore(openBucket({ ...config, endpoint: proxy.endpoint }), scratch)
})
afterEach(async () => {
  proxy.close()
  await rm(scratch, { recursive: true, force: true })
})

const signal = new AbortController().signal
const away = { status: 503, headers: { 'retry-after': '10' } }

async function keep(content: Uint8Array): Promise<string> {
  const staged = await store.stage()
  await staged.append(content)
  await staged.keep(staged.fileId ?? '')
  return staged.fileId ?? ''
}

/** Cuts this many responses somewhere in their body. */
function cutReads(times: number): void {
  let left = times
  proxy.faultOf = ({ method }) => {
    if (method !== 'GET' || left === 0) return null
    left -= 1
    return { cutAt: 1 + Math.floor(Math.random() * 400_000) }
  }
}

it('reads every byte, however often the connection is cut', async () => {
  const content = randomBytes(3_000_000)
  const id = await keep(content)
  cutReads(20)
  expect((await buffer(store.read(id, 'media'))).equals(content)).toBe(true)
  cutReads(20)
  expect((await buffer(store.read(id, 'media', { start: 5, end: 2_999_998 }))).equals(content.subarray(5, -1))).toBe(
    true,
  )
  cutReads(20)
  expect((await store.withMedia(id, readContent)).equals(content)).toBe(true)
})

it('resends parts whose responses are lost, and recognizes an object whose Complete was never answered', async () => {
  const content = randomBytes(20_000_000)
  let lost = 0
  proxy.faultOf = ({ method, url }) => {
    if (method === 'POST' && url.includes('uploadId=')) return 'lost'
    if (method === 'PUT' && url.includes('partNumber=2') && lost === 0) {
      lost += 1
      return 'lost'
    }
    return null
  }
  const id = await keep(content)
  expect(lost).toBe(1)
  proxy.faultOf = () => null
  expect((await buffer(store.read(id, 'media'))).equals(content)).toBe(true)
})

it('is temporarily unavailable, not damaged, if a recording cannot be read to its end', async () => {
  const tone = await makeTone(60)
  const id = await keep(tone)
  // Only the first half is readable.
  proxy.faultOf = ({ method, headers }) => {
    if (method !== 'GET') return null
    const start = Number(/bytes=(\d+)/.exec(headers.range ?? '')?.[1] ?? 0)
    return start < tone.byteLength / 2 ? { cutAt: tone.byteLength / 2 - start } : 'down'
  }
  const decoding = store.withMedia(id, async (source) => {
    const { pcm, outcome } = decode(source, firstTrack, { signal })
    for await (const samples of pcm) expect(samples.length).toBeGreaterThan(0)
    return await outcome
  })
  await expect(decoding).rejects.toMatchObject(away)
  const probing = store.withMedia(id, (source) => probeMedia(source, { contentType: 'audio/wav', fileName: 'a.wav' }))
  proxy.faultOf = ({ method }) => (method === 'GET' ? s3Error(503, 'SlowDown') : null)
  await expect(probing).rejects.toMatchObject(away)
}, 180_000)

it.each([
  ['down', 'down', /cannot be reached/],
  ['busy', s3Error(503, 'SlowDown'), /answered 503/],
  ['refusing expired credentials', s3Error(400, 'ExpiredToken'), /credentials are missing, wrong or expired/],
  ['a web server', { status: 200, body: '<!doctype html><p>Hello' }, /does not answer as S3 does/],
] as const)(
  'returns 503, with a reason for operators, if the server is %s',
  async (_, fault, why) => {
    const id = await keep(Buffer.from('x'))
    proxy.faultOf = () => fault
    await expect(keep(randomBytes(10_000_000))).rejects.toMatchObject({
      ...away,
      cause: expect.objectContaining({ message: expect.stringMatching(why) }),
    })
    // A short object is one PUT, whose response contains nothing that must be parsed.
    await expect(keep(Buffer.from('x'))).rejects.toMatchObject(away)
    await expect(store.size(id, 'media')).rejects.toMatchObject(away)
    await expect(buffer(store.read(id, 'media'))).rejects.toMatchObject(away)
    if (fault === 'down') await expect(store.remove(id)).rejects.toMatchObject(away)
  },
  // The SDK retries with growing backoff before it gives up.
  300_000,
)

it('removes nothing, and says so, if a web server’s page is the response', async () => {
  const id = await keep(Buffer.from('x'))
  const page = { status: 200, body: '<!doctype html><html><body><p>Hello</p></body></html>' }
  // Well-formed, so that it parses as an empty list, or as empty XML.
  const pages = [page, { status: 200, body: '<html><body><p>Hello</p></body></html>' }, { status: 200, body: '' }]
  const why = { cause: expect.objectContaining({ message: expect.stringMatching(/does not answer as S3 does/) }) }
  for (const method of ['GET', 'DELETE'])
    for (const fault of pages) {
      proxy.faultOf = (request) => (request.method === method ? fault : null)
      await expect(store.remove(id)).rejects.toMatchObject({ ...away, ...why })
    }
  proxy.faultOf = () => pages[1] ?? null
  await expect(Array.fromAsync(store.ids())).rejects.toMatchObject(away)
  await expect(store.removeStaged(Date.now(), new Set())).rejects.toThrow()
  proxy.faultOf = () => null
  expect(await Array.fromAsync(store.ids())).toEqual([id])
  await store.remove(id)
  expect(await Array.fromAsync(store.ids())).toEqual([])
}, 180_000)

it('does not mistake an absent bucket for absent bytes', async () => {
  const config = { ...(await makeBucket()), bucket: 'nosuchbucket' }
  const lost = new S3BlobStore(openBucket(config), scratch)
  await expect(lost.size('a', 'media')).rejects.toMatchObject(away)
  await expect(buffer(lost.read('a', 'media'))).rejects.toMatchObject(away)
})
