import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDbs } from '../../testing/test-dbs.ts'
import type { Db } from '../db/open.ts'
import { mintId } from '../ids.ts'
import { claimJob, countTakenOver, renewJobs } from './claim-job.ts'

const now = 1_000_000
let dbs: readonly [Db, Db]
let remove: () => Promise<void>

beforeEach(async () => {
  ;({ dbs, remove } = await openTestDbs())
})
afterEach(() => remove())

async function enqueue(account_id: string, count: number): Promise<void> {
  const row = { kind: 'work', file_id: null, account_id, state: 'waiting' as const, run_after: now }
  const jobs = Array.from({ length: count }, () => ({ ...row, id: mintId('j'), attempts: 0, payload_json: '{}' }))
  for (let from = 0; from < count; from += 1_000) {
    const some = jobs.slice(from, from + 1_000).map((job) => ({ ...job, created_at: now }))
    await dbs[0].insertInto('jobs').values(some).execute()
  }
}

const claim = (process: 0 | 1) => claimJob(dbs[process], 'work', { node: `node-${process}`, running: [], now })

test('a giant account starves nobody: 400 jobs of 200 others are among the first 480 claims of two processes', async () => {
  await enqueue('giant', 10_000)
  for (let other = 0; other < 200; other += 1) await enqueue(`a${other}`, 2)
  const claimed: string[] = []
  const accounts: string[] = []
  await Promise.all(
    ([0, 1] as const).map(async (process) => {
      for (let count = 0; count < 240; count += 1) {
        const job = await claim(process)
        if (job === undefined) throw new Error('There are 10,400 jobs.')
        claimed.push(job.id)
        accounts.push(job.account_id)
        // Each ends immediately, so that only the turns count.
        await dbs[process].deleteFrom('jobs').where('id', '=', job.id).execute()
      }
    }),
  )
  expect(new Set(claimed).size).toBe(480)
  expect(accounts.filter((id) => id !== 'giant')).toHaveLength(400)
})

test('a claimed job is exclusive until its lease expires; then its first claim is void', async () => {
  await enqueue('a', 1)
  const first = await claim(0)
  if (first === undefined) throw new Error('There is a job.')
  expect(await claim(1)).toBeUndefined()
  expect(await renewJobs(dbs[0], [first])).toEqual(new Set([first.id]))
  await dbs[0].updateTable('jobs').set({ leased_until: 0 }).execute()
  expect(await claimJob(dbs[0], 'work', { node: 'node-0', running: [first.id], now }), 'its own').toBeUndefined()
  const second = await claim(1)
  expect(second).toMatchObject({ id: first.id, fence: first.fence + 1, node: 'node-1' })
  expect(await renewJobs(dbs[0], [first])).toEqual(new Set())
  expect(await countTakenOver(dbs[0], [first.id, 'j-removed'])).toBe(1)
})

test('concurrent claims get a job each, the last ones nothing, and accounts stay in turn', async () => {
  await enqueue('giant', 100)
  for (const account of ['a', 'b', 'c', 'd']) await enqueue(account, 1)
  const claims = (count: number) => Array.from({ length: count }, (_, index) => claim(index % 2 === 0 ? 0 : 1))
  const first = await Promise.all(claims(10))
  expect(new Set(first.map((job) => job?.account_id))).toEqual(new Set(['giant', 'a', 'b', 'c', 'd']))
  const rest = await Promise.all(claims(110))
  const ids = [...first, ...rest].flatMap((job) => job?.id ?? [])
  expect(ids).toHaveLength(104)
  expect(new Set(ids).size).toBe(104)
})
