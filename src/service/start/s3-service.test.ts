import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Playback } from '../../contract/account/file-pages.ts'
import { openBucket, type S3Config } from '../platform/media/s3/bucket.ts'
import { authorization } from '../testing/ask-api.ts'
import { type Fault, type FaultProxy, s3Error, startFaultProxy } from '../testing/fault-proxy.ts'
import { openSchema } from '../testing/postgres-schemas.ts'
import { startPostgres, type TestCluster } from '../testing/start-postgres.ts'
import { makeBucket } from '../testing/test-bucket.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'

let cluster: TestCluster
let s3: S3Config
let kit: TestService

beforeAll(() => {
  cluster = startPostgres()
})
beforeEach(async () => {
  s3 = await makeBucket()
  kit = await startTestService({ postgres: await openSchema(cluster.url), s3, recognizer: 'pocketsphinx' })
})
afterEach(() => kit.close())
afterAll(() => cluster.remove())

/** Keys of files and of unfinished uploads. */
async function keys(): Promise<string[]> {
  const { client, bucket: Bucket } = openBucket(s3)
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: `${s3.prefix}files/` }))
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
  return [...Contents, ...Uploads].map(({ Key = '' }) => Key)
}

async function playback(key: string, id: string): Promise<URL> {
  const answer = await fetch(`${kit.address}/sandbox/account/files/${id}/playback`, {
    method: 'POST',
    headers: { authorization: authorization(key) },
  })
  return new URL(((await answer.json()) as Playback).url, kit.address)
}

test('an order goes through a bucket: recognized, read in all formats, played from any byte, deleted', async () => {
  const { key } = await kit.account()
  const sound = await kit.tone(20)
  const { id } = await kit.order(key, sound, '?transcript_type=automated')
  await kit.until(async () => (await kit.metadata(key, id)).progress_percent === 100)
  for (const format of ['txt', 'json', 'srt', 'odt', 'pdf']) {
    const text = await kit.fetch(key, `file/${id}.${format}`)
    expect(text.status, format).toBe(200)
    expect((await text.arrayBuffer()).byteLength, format).toBeGreaterThan(0)
  }
  const url = await playback(key, id)
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(sound)).toBe(true)
  const part = await fetch(url, { headers: { range: 'bytes=1000-1999' } })
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer()).equals(Buffer.from(sound).subarray(1_000, 2_000))).toBe(true)
  await kit.until(async () => (await kit.platform.blobs.size(id, 'peaks')) !== null)
  const again = await kit.order(key, sound)
  expect((await kit.metadata(key, again.id)).duplicates).toEqual([id])
  for (const file of [id, again.id]) {
    expect((await kit.fetch(key, `file/${file}`, { method: 'DELETE' })).status).toBe(200)
  }
  expect(await keys()).toEqual([])
})

test('a refused or aborted upload leaves no object', async () => {
  const { key } = await kit.account()
  expect((await kit.post(key, Buffer.from('no sound at all'))).status).toBe(415)
  const recording = Buffer.concat([await kit.tone(1), Buffer.alloc(20_000_000)])
  const cut = new ReadableStream({
    start(controller) {
      const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'
      controller.enqueue(Buffer.concat([Buffer.from(head), recording]))
      controller.close()
    },
  })
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const answer = await kit.fetch(key, 'files', { method: 'POST', body: cut, headers, duplex: 'half' } as RequestInit)
  expect(answer.status).toBe(400)
  expect(await keys()).toEqual([])
})

describe('with the bucket unavailable', () => {
  let proxy: FaultProxy
  let away: TestService
  beforeEach(async () => {
    if (s3.endpoint === null) throw new Error('The gateway has an address.')
    proxy = await startFaultProxy(s3.endpoint)
    s3 = { ...(await makeBucket()), endpoint: proxy.endpoint }
    away = await startTestService({ postgres: await openSchema(cluster.url), s3, recognizer: 'pocketsphinx' })
  })
  afterEach(async () => {
    await away.close()
    proxy.close()
  })

  const moves = async () =>
    (await away.platform.db.selectFrom('ledger').select('kind').execute()).map(({ kind }) => kind)

  const page: Fault = { status: 200, body: '<!doctype html><title>Welcome</title><p>Please sign in to this network.' }
  const always = (fault: Fault) => () => fault

  test.each([
    ['down', always('down')],
    ['busy', always(s3Error(503, 'SlowDown'))],
    ['refusing expired credentials', always(s3Error(400, 'ExpiredToken'))],
    ['read-only', ({ method }) => (method === 'PUT' || method === 'POST' ? s3Error(403, 'AccessDenied') : null)],
    ['removed', always(s3Error(404, 'NoSuchBucket'))],
    ['of another time', always(s3Error(403, 'RequestTimeTooSkewed'))],
    ['a web server that answers 200', always(page)],
    ['read through a web server that answers 200', ({ method }) => (method === 'GET' ? page : null)],
  ] as [string, FaultProxy['faultOf']][])(
    '%s, an order is refused with 503, uncharged, and taken as soon as it is back',
    async (_, faultOf) => {
      const { key } = await away.account()
      const sound = await away.tone(2)
      proxy.faultOf = faultOf
      const refused = await away.post(key, sound)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
      expect((await away.fetch(key, 'files')).status).toBe(200)
      expect(await moves()).toEqual([])
      proxy.faultOf = () => null
      await away.order(key, sound)
      expect(await moves()).toEqual(['charge'])
    },
  )

  test.each([
    ['down', 'down'],
    ['a web server that answers 200', page],
  ] as [string, Fault][])(
    '%s, an order that was taken waits, is not refunded, and goes on',
    async (_, fault) => {
      const { key } = await away.account()
      // Probing and hashing read the recording; recognition comes after the charge.
      let isOrdered = false
      away.platform.changes.subscribe(({ kind }) => {
        isOrdered ||= kind === 'job'
      })
      proxy.faultOf = ({ method, url }) => (isOrdered && method === 'GET' && url.includes('/media') ? fault : null)
      const { id } = await away.order(key, await away.tone(60), '?transcript_type=automated')
      await away.until(async () => (await away.metadata(key, id)).delay_reason?.includes('storage'))
      expect(await moves()).toEqual(['charge'])
      proxy.faultOf = () => null
      await away.until(async () => {
        away.advance(15_000)
        return (await away.metadata(key, id)).progress_percent === 100
      })
      expect(await moves()).toEqual(['charge'])
    },
    180_000,
  )

  test('a deletion succeeds, and its bytes are removed later', async () => {
    const { key } = await away.account()
    const { id } = await away.order(key, await away.tone(1))
    proxy.faultOf = () => 'down'
    expect((await away.fetch(key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
    proxy.faultOf = () => null
    expect(await keys()).not.toEqual([])
    away.advance(Date.now() - away.platform.clock() + 25 * 60 * 60_000)
    await away.doChores()
    expect(await keys()).toEqual([])
  })
})

describe('a start is refused in one sentence', () => {
  const start = async (config: S3Config) => startTestService({ postgres: await openSchema(cluster.url), s3: config })

  test('for a bucket that does not exist, or is of another database', async () => {
    await expect(start({ ...s3, bucket: 'nosuchbucket' })).rejects.toThrow('The bucket "nosuchbucket" does not exist.')
    await expect(start(s3)).rejects.toThrow(/is of another database/)
  })

  test.each([
    [
      'may not be written',
      ({ method }) => (method === 'PUT' ? s3Error(403, 'AccessDenied') : null),
      /do not allow this/,
    ],
    ['refuses the credentials', () => s3Error(403, 'InvalidAccessKeyId'), /credentials are missing, wrong or expired/],
    ['has another time', () => s3Error(403, 'RequestTimeTooSkewed'), /clock of .* differs/],
    ['is a web server', () => ({ status: 200, body: '<!doctype html><p>Hello' }), /does not answer as S3 does/],
    ['is away', () => 'down', /cannot be reached/],
  ] as [string, FaultProxy['faultOf'], RegExp][])('for a server that %s', async (_, faultOf, sentence) => {
    if (s3.endpoint === null) throw new Error('The gateway has an address.')
    const proxy = await startFaultProxy(s3.endpoint)
    proxy.faultOf = faultOf
    await expect(start({ ...(await makeBucket()), endpoint: proxy.endpoint })).rejects.toThrow(sentence)
    proxy.close()
  })
})
