import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openPlatform } from '../../start/service.ts'
import { openTestSchema } from '../../testing/postgres-schemas.ts'
import { defaultConfig } from '../config.ts'
import { mintId } from '../ids.ts'
import type { Platform } from '../platform.ts'
import { type JobEnd, type JobKind, Worker } from './worker.ts'

let dataDir: string
let platform: Platform
let worker: Worker | null = null
let now = 0
let warnings: string[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-worker-'))
  now = 1_000_000
  warnings = []
  const log = pino({ level: 'error' }, { write: (line: string) => warnings.push(line) })
  platform = await openPlatform({ ...defaultConfig, dataDir, postgres: await openTestSchema() }, () => now, log)
})
afterEach(async () => {
  await worker?.close()
  worker = null
  await platform.closeStore()
  await rm(dataDir, { recursive: true })
  expect(warnings).toEqual([])
})

async function enqueue(accountId: string, fileId: string | null = null): Promise<string> {
  const id = mintId('j')
  const row = { id, kind: 'work', file_id: fileId, account_id: accountId, state: 'waiting' as const, run_after: now }
  await platform.db
    .insertInto('jobs')
    .values({ ...row, attempts: 0, payload_json: '{}', created_at: now++ })
    .execute()
  return id
}
function wake(ms = 0): void {
  now += ms
  platform.changes.notify({ kind: 'job' })
}

/** A kind of work whose runs the test ends manually. */
class Bench implements JobKind {
  readonly parallel: number
  readonly started: {
    accountId: string
    end: (end: JobEnd) => void
    fail: (error: Error) => void
    signal: AbortSignal
  }[] = []
  readonly gaveUpOn: string[] = []
  #waiting: (() => void)[] = []
  constructor(parallel = 1) {
    this.parallel = parallel
  }
  run: JobKind['run'] = (job, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<JobEnd>()
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    this.started.push({ accountId: job.account_id, end: resolve, fail: reject, signal })
    for (const wakeUp of this.#waiting.splice(0)) wakeUp()
    return promise
  }
  gaveUp: JobKind['gaveUp'] = async (job) => {
    this.gaveUpOn.push(job.id)
    for (const wakeUp of this.#waiting.splice(0)) wakeUp()
  }
  async until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
  /** the nth run, once it has begun */
  async nth(index: number) {
    await this.until(() => this.started.length > index)
    return this.started[index] as (typeof this.started)[number]
  }
}

const done: JobEnd = { end: 'done' }

it('respects its concurrency limit, and accounts take turns', async () => {
  for (const account of ['a', 'a', 'a', 'a', 'b', 'c']) await enqueue(account)
  const bench = new Bench(2)
  worker = new Worker(platform, { work: bench })
  for (let index = 0; index < 6; index += 1) {
    const run = await bench.nth(index)
    expect(bench.started.length - index).toBeLessThanOrEqual(2)
    run.end(done)
  }
  // b and c do not wait behind all of a's orders.
  const order = bench.started.map(({ accountId }) => accountId)
  expect(order.indexOf('b')).toBeLessThan(3)
  expect(order.indexOf('c')).toBeLessThan(4)
  await worker.close()
  expect(await platform.db.selectFrom('jobs').select('id').execute()).toEqual([])
})

it('retries a failed job with backoff, and gives up after ten attempts', async () => {
  const id = await enqueue('a')
  const bench = new Bench()
  worker = new Worker(platform, { work: bench })
  const pauses: number[] = []
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const run = await bench.nth(attempt)
    run.fail(new Error('no'))
    if (attempt === 9) break
    const { run_after } = await expectEventually(async () =>
      platform.db.selectFrom('jobs').selectAll().where('state', '=', 'waiting').executeTakeFirst(),
    )
    pauses.push(run_after - now)
    wake(run_after - now)
  }
  await bench.until(() => bench.gaveUpOn.length > 0)
  expect(bench.gaveUpOn).toEqual([id])
  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300].map((seconds) => seconds * 1_000))
})

async function expectEventually<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  let found: Found | undefined
  await expect.poll(async () => (found = await look()), { interval: 2 }).toBeDefined()
  return found as Found
}

it('runs a job again after the requested time', async () => {
  await enqueue('a')
  const bench = new Bench()
  worker = new Worker(platform, { work: bench })
  ;(await bench.nth(0)).end({ end: 'again', afterMs: 60_000 })
  await expectEventually(() =>
    platform.db
      .selectFrom('jobs')
      .selectAll()
      .where('run_after', '>', now)
      .where('attempts', '=', 0)
      .executeTakeFirst(),
  )
  // Ordering advances the clock by one: then it is still a millisecond early.
  wake(59_998)
  await enqueue('b')
  wake()
  expect((await bench.nth(1)).accountId, 'not yet').toBe('b')
  bench.started[1]?.end(done)
  wake(1)
  expect((await bench.nth(2)).accountId).toBe('a')
})

it('stops work on a deleted file and removes its output', async () => {
  await enqueue('a', 'file1')
  const bench = new Bench()
  worker = new Worker(platform, { work: bench })
  const run = await bench.nth(0)
  await platform.blobs.write('file1', 'words.json', '[]')
  platform.changes.notify({ kind: 'file', accountId: 'a', fileId: 'file1', deleted: true })
  expect(run.signal.aborted).toBe(true)
  await expect.poll(() => platform.blobs.size('file1', 'words.json')).toBeNull()
})

it('resumes its work after shutdown and after a crash', async () => {
  await enqueue('a')
  const first = new Bench()
  worker = new Worker(platform, { work: first })
  const run = await first.nth(0)
  await worker.close()
  expect(run.signal.aborted).toBe(true)
  expect(await platform.db.selectFrom('jobs').select(['state', 'attempts']).execute()).toEqual([
    { state: 'waiting', attempts: 0 },
  ])
  await platform.db.updateTable('jobs').set({ state: 'running' }).execute()
  const second = new Bench()
  worker = new Worker(platform, { work: second })
  ;(await second.nth(0)).end(done)
})
