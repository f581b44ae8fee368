import { execFileSync } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { CopyObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBucket, type S3Config } from '../platform/media/s3/bucket.ts'
import { openSchema } from '../testing/postgres-schemas.ts'
import { startPostgres, type TestCluster } from '../testing/start-postgres.ts'
import { makeBucket } from '../testing/test-bucket.ts'
import { startTestService } from '../testing/test-service.ts'

let cluster: TestCluster
beforeAll(() => {
  cluster = startPostgres()
})
afterAll(() => cluster.remove())

const restored = (url: string) => url.replace('/postgres?', '/restored?')

/** Copies the bucket as an operator would: every object, including the mark. */
async function copyOf(s3: S3Config): Promise<S3Config> {
  const copy = { ...s3, bucket: (await makeBucket()).bucket }
  const { client } = openBucket(s3)
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: s3.bucket }))
  for (const { Key = '' } of Contents) {
    await client.send(new CopyObjectCommand({ Bucket: copy.bucket, Key, CopySource: `${s3.bucket}/${Key}` }))
  }
  return copy
}

/** Restores the database dump into another database. */
async function restore(dump: Buffer): Promise<void> {
  const client = new pg.Client(cluster.url)
  await client.connect()
  await client.query('create database restored')
  await client.end()
  execFileSync('psql', ['-q', '-v', 'ON_ERROR_STOP=1', restored(cluster.url)], { input: dump, stdio: 'pipe' })
}

test('a dump and a later copy of the bucket are restored: referenced files are complete, others removed', async () => {
  const [postgres, s3] = [await openSchema(cluster.url), await makeBucket()]
  const kit = await startTestService({ postgres, s3 })
  const { key } = await kit.account()
  const sound = await kit.tone(2)
  const { id } = await kit.order(key, sound)
  const dump = execFileSync('pg_dump', [cluster.url], { maxBuffer: 100_000_000 })
  const late = await kit.order(key, await kit.tone(3))
  const copy = await copyOf(s3)
  await kit.close()

  await restore(dump)
  const there = { ...postgres, url: restored(postgres.url), directUrl: restored(postgres.directUrl) }
  await expect(startTestService({ postgres: there, s3: await makeBucket() })).rejects.toThrow(/are not in/)
  const again = await startTestService({ postgres: there, s3: copy })
  const listed = (await (await again.fetch(key, 'files')).json()) as { id: string }[]
  expect(listed.map((file) => file.id)).toEqual([id])
  expect((await buffer(again.platform.blobs.read(id, 'media'))).equals(sound)).toBe(true)
  expect(await again.platform.blobs.size(late.id, 'media')).not.toBeNull()
  // Sandbox files expire a day after their order; this one is kept.
  await again.platform.db.updateTable('files').set({ expires_at: null }).execute()
  again.advance(Date.now() - again.platform.clock() + 25 * 60 * 60_000)
  await again.doChores()
  expect(await again.platform.blobs.size(late.id, 'media')).toBeNull()
  expect(await again.platform.blobs.size(id, 'media')).toBe(sound.byteLength)
  await again.close()
})
