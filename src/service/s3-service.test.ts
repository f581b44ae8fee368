import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Playback } from '../contract/account-pages.ts'
import { openBucket } from './media/s3/bucket.ts'
import type { S3Config } from './media/s3/s3-config.ts'
import { authorization } from './testing/ask-api.ts'
import { openSchema } from './testing/postgres-schemas.ts'
import { startPostgres, type TestCluster } from './testing/start-postgres.ts'
import { makeBucket } from './testing/test-bucket.ts'
import { startTestService, type TestService } from './testing/test-service.ts'

let cluster: TestCluster
let s3: S3Config
let kit: TestService

beforeAll(() => {
  cluster = startPostgres()
})
beforeEach(async () => {
  s3 = await makeBucket()
  kit = await startTestService({ postgres: await openSchema(cluster.url), s3, recogniser: 'pocketsphinx' })
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

test('an order goes through a bucket: heard, read in all formats, played from any byte, deleted', async () => {
  const { key } = await kit.account()
  const sound = await kit.tone(20)
  const { id } = await kit.order(key, sound, '?transcript_type=automated')
  await kit.until(async () => (await kit.metadata(key, id)).progress_percent === 100)
  for (const format of ['txt', 'json', 'srt', 'odt', 'pdf']) {
    const text = await kit.fetch(key, `file/${id}?format=${format}`)
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

test('what is refused or breaks off leaves no object', async () => {
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
