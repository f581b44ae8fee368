import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Config, defaultConfig } from '../platform/config.ts'
import { dataPaths } from '../platform/data-directory.ts'
import type { PostgresConfig } from '../platform/db/postgres/postgres-config.ts'
import { openBucket, type S3Config } from '../platform/media/s3/bucket.ts'
import { S3BlobStore } from '../platform/media/s3/s3-blob-store.ts'
import { accountClient } from '../testing/account-client.ts'
import { type FaultProxy, s3Error, startFaultProxy } from '../testing/fault-proxy.ts'
import { openSchema } from '../testing/postgres-schemas.ts'
import { main, runParley } from '../testing/real-process.ts'
import { startPostgres, type TestCluster } from '../testing/start-postgres.ts'
import { makeBucket } from '../testing/test-bucket.ts'
import { startTestService, type TestAccount, type TestService } from '../testing/test-service.ts'
import { backup } from './backup.ts'
import { leftTables, listTables } from './copy-tables.ts'
import { doctor } from './doctor.ts'
import { restoreInto } from './restore-into.ts'

let cluster: TestCluster
let dir: string
let proxy: FaultProxy
let postgres: PostgresConfig
let s3: S3Config
let config: Config
/** a backup of `dir` */
let file: string
let account: TestAccount
/** the account as its customer sees it, before and after */
let before: string[]
let ids: string[]

beforeAll(() => {
  cluster = startPostgres()
})
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-into-'))
  await fill(dir)
  file = join(dir, 'backup.tar')
  await backup(dir, file)
  s3 = await makeBucket()
  if (s3.endpoint === null) throw new Error('The gateway has an address.')
  proxy = await startFaultProxy(s3.endpoint)
  s3 = { ...s3, endpoint: proxy.endpoint }
  postgres = await openSchema(cluster.url, false)
  config = { ...defaultConfig, dataDir: await mkdtemp(join(dir, 'scratch-')), postgres, s3 }
})
afterEach(async () => {
  proxy.close()
  await rm(dir, { recursive: true, force: true })
})
afterAll(() => cluster.remove())

/** Creates orders, a refund, a transcript, a webhook. */
async function fill(dataDir: string): Promise<void> {
  const kit = await startTestService({ dataDir, postgres: null })
  account = await kit.account()
  const client = accountClient(kit.address, account.key)
  const sample = async (progress_percent: number) =>
    (await client.read<{ id: string }>('POST', 'tools/files', { seconds: 20, progress_percent })).id
  const ordered = (await kit.order(account.key, await kit.tone(5), '?transcript_type=automated')).id
  ids = [await sample(100), await sample(30), ordered]
  const deleted = await sample(20)
  expect((await kit.fetch(account.key, `file/${deleted}`, { method: 'DELETE' })).status).toBe(200)
  before = await seen(kit)
  await kit.close()
}

async function seen(kit: TestService): Promise<string[]> {
  const client = accountClient(kit.address, account.key)
  const usage = await client.read('GET', 'usage')
  const answers = [`file/${ids[0]}.json`, 'files'].map(
    async (path) => await (await kit.fetch(account.key, path)).text(),
  )
  return [JSON.stringify(usage), ...(await Promise.all(answers))]
}

/** Starts the service on the restored data. */
async function startThere(): Promise<TestService> {
  const scratch = await mkdtemp(join(tmpdir(), 'parley-there-'))
  return await startTestService({ dataDir: scratch, postgres, s3 })
}

const onDisk = (id: string) => join(dataPaths(dir).blobs, 'files', id, 'media')

const restored = () => restoreInto(config, postgres, file)

test('killed twice and cut off twice, a restore into a bucket ends with the same rows, money and bytes', async () => {
  const env = { ...process.env, S3_ENDPOINT: s3.endpoint?.href ?? '', S3_PATH_STYLE: '1' }
  const into = ['--into', postgres.url, '--into', `s3://${s3.bucket}/parley`, '--data', config.dataDir]
  let puts = 0
  for (const killedAt of [2, 3]) {
    puts = 0
    const child = spawn(process.execPath, [main, 'restore', file, ...into], { env, stdio: 'ignore' })
    proxy.faultOf = ({ method }) => {
      if (method === 'PUT') puts += 1
      if (puts === killedAt) child.kill('SIGKILL')
      return null
    }
    expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
  }
  await expect(startThere()).rejects.toThrow(/The recordings of this database are not in/)
  for (const cutAt of [2, 2]) {
    puts = 0
    proxy.faultOf = ({ method }) => {
      if (method === 'PUT') puts += 1
      return puts >= cutAt ? s3Error(403, 'AccessDenied') : null
    }
    await expect(restored()).rejects.toThrow()
  }
  proxy.faultOf = () => null
  // Same length, different bytes.
  const recording = await readFile(onDisk(ids[2] ?? ''))
  const bucket = new S3BlobStore(openBucket(s3), dir)
  await bucket.write(ids[2] ?? '', 'media', Buffer.alloc(recording.byteLength))
  const done = await restored()
  expect(done).toMatchObject({ files: 3, rows: expect.any(Number), ledgerCents: expect.any(Number) })
  expect(done.restoredInto).toMatch(/^postgres:.* and s3:/)
  expect(done.restoredInto).not.toContain('@')

  const there = await startThere()
  expect(await seen(there)).toEqual(before)
  expect((await buffer(there.platform.blobs.read(ids[2] ?? '', 'media'))).equals(recording)).toBe(true)
  expect(await text(there.platform.blobs.read(ids[0] ?? '', 'words.json'))).toContain('[')
  await there.order(account.key, await there.tone(2))
  await there.close()
  await expect(restored()).rejects.toThrow('has data already')
})

test('a restore does not continue that of a different backup', async () => {
  proxy.faultOf = ({ method, url }) =>
    method === 'PUT' && url.includes('/media') ? s3Error(403, 'AccessDenied') : null
  await expect(restored()).rejects.toThrow()
  proxy.faultOf = () => null
  const kit = await startTestService({ dataDir: dir, postgres: null })
  await kit.account()
  await kit.close()
  const other = join(dir, 'other.tar')
  await backup(dir, other)
  await expect(restoreInto(config, postgres, other)).rejects.toThrow('has data already')
  expect(await restored()).toMatchObject({ files: 3 })
})

test('a backup is refused by a database or a bucket that has data already', async () => {
  postgres = await openSchema(cluster.url)
  const there = await startThere()
  await there.account()
  await there.close()
  await expect(restored()).rejects.toThrow('has data already')
  postgres = await openSchema(cluster.url, false)
  await expect(restored()).rejects.toThrow('has recordings already')
})

test('with a directory instead of a bucket, recordings are restored into it', async () => {
  const to = join(dir, 'shared')
  const { code, out, error } = await runParley(dir, 'restore', file, '--into', postgres.url, '--into', to)
  expect({ code, error }).toEqual({ code: 0, error: expect.stringMatching(/REVOKED SINCE THE BACKUP WORK AGAIN/) })
  expect(JSON.parse(out)).toMatchObject({ files: 3, restoredInto: expect.stringContaining(`and ${to}`) })
  const there = await startTestService({ dataDir: to, postgres })
  expect(await seen(there)).toEqual(before)
  await there.close()
})

test('with a directory alone, embedded data is restored there', async () => {
  const to = join(dir, 'embedded')
  expect(await runParley(dir, 'restore', file, '--into', to)).toMatchObject({
    code: 0,
    error: expect.stringMatching(/WORK AGAIN/),
  })
  const there = await startTestService({ dataDir: to, postgres: null })
  expect(await seen(there)).toEqual(before)
  await there.close()
})

test('every table of the schema is taken along, or left behind for a reason', () => {
  const source = new DatabaseSync(dataPaths(dir).database, { readOnly: true })
  const all = source.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'").all()
  const named = [...listTables(source), ...Object.keys(leftTables)]
  expect(named.toSorted()).toEqual(all.map(({ name }) => String(name)).toSorted())
  source.close()
})

test('the doctor says what is wrong with a bucket', async () => {
  const bucket = async (examined: Config) => (await doctor(examined)).find(({ check }) => check === 'bucket')
  await restored()
  expect(await bucket(config)).toMatchObject({ ok: true, says: expect.stringContaining('the one of the database') })
  expect(await bucket({ ...config, s3: await makeBucket() })).toMatchObject({
    ok: false,
    says: expect.stringContaining('is not the one of the database'),
  })
  proxy.faultOf = ({ method }) => (method === 'PUT' ? s3Error(403, 'AccessDenied') : null)
  expect(await bucket(config)).toMatchObject({ ok: false, says: expect.stringContaining('do not allow this') })
})
