import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgres } from '../platform/db/postgres/open-postgres.ts'
import { askApi } from '../testing/ask-api.ts'
import { openSchema } from '../testing/postgres-schemas.ts'
import { firstKey, type RealProcess, serveProcess } from '../testing/real-process.ts'
import { gatewayUser } from '../testing/start-gateway.ts'
import { startPostgres, type TestCluster } from '../testing/start-postgres.ts'
import { makeBucket } from '../testing/test-bucket.ts'
import { fileForm, makeTone } from '../testing/test-service.ts'

let cluster: TestCluster
let directory: string
const running: RealProcess[] = []

beforeAll(async () => {
  cluster = startPostgres()
  directory = await mkdtemp(join(tmpdir(), 'parley-roles-'))
})
afterAll(async () => {
  for (const one of running) await one.end('SIGKILL')
  cluster.remove()
  await rm(directory, { recursive: true })
})

/** Starts a process of a role, with only its own directories to write to. */
async function start(role: 'api' | 'worker', env: Readonly<Record<string, string>>): Promise<RealProcess> {
  const places = { SCRATCH_DIR: join(directory, `${role}-scratch`), TMPDIR: join(directory, 'tmp'), HOME: directory }
  const own = { PARLEY_ROLE: role, RECOGNIZER: 'pocketsphinx', ...places }
  const started = await serveProcess(join(directory, `${role}-data`), { ...env, ...own })
  running.push(started)
  return started
}

test('an API node leaves jobs to a worker, which serves only health checks and writes only to its scratch directory', async () => {
  const postgres = await openSchema(cluster.url)
  const { bucket, prefix, endpoint } = await makeBucket()
  const env = {
    DATABASE_URL: postgres.url,
    BLOBS: `s3://${bucket}/${prefix}`,
    S3_ENDPOINT: endpoint?.href ?? '',
    S3_PATH_STYLE: '1',
    AWS_ACCESS_KEY_ID: gatewayUser.accessKeyId,
    AWS_SECRET_ACCESS_KEY: gatewayUser.secretAccessKey,
  }
  const api = await start('api', env)
  await expect.poll(() => firstKey(api, 'sandbox')).not.toBe('')
  const key = firstKey(api, 'sandbox')
  const body = fileForm(await makeTone(20))
  const created = await askApi(api.url.origin, key, 'files?transcript_type=automated', { method: 'POST', body })
  expect(created.status).toBe(201)
  const { id } = (await created.json()) as { id: string }

  const db = await openPostgres(postgres)
  // A chore of the API node comes later than a job claimed by it would have started.
  const used = db.selectFrom('api_keys').select('id').where('last_used_at', 'is not', null)
  await expect.poll(() => used.execute()).toHaveLength(1)
  const jobs = await db.selectFrom('jobs').select(['state', 'attempts']).where('file_id', '=', id).execute()
  expect(jobs.length).toBeGreaterThan(0)
  expect(jobs).toEqual(jobs.map(() => ({ state: 'waiting', attempts: 0 })))
  await db.destroy()

  const worker = await start('worker', env)
  const ready = async () => (await askApi(api.url.origin, key, `file/${id}`, { method: 'HEAD' })).headers
  await expect.poll(async () => (await ready()).get('x-service-metadata')).toContain('"progress_percent":100')
  for (const path of ['', 'v1/files', 'sandbox/v1/files', 'account', 'openapi.json']) {
    expect([path, (await fetch(new URL(path, worker.url))).status]).toEqual([path, 404])
  }
  for (const path of ['healthz', 'readyz']) expect((await fetch(new URL(path, worker.url))).status).toBe(200)
  expect(worker.lines.join('\n')).not.toContain('parley_')
  const written = (await readdir(directory)).toSorted()
  expect(written.filter((name) => name !== 'api-data')).toEqual(['api-scratch', 'worker-scratch'])
})
