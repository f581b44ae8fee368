import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Db, openDb } from '../db/open.ts'
import { mintId } from '../ids.ts'
import { claimJob, renewJobs } from './claim-job.ts'

const now = 1_000_000
let directory: string
/** connections of two processes */
let dbs: [Db, Db]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-claims-'))
  dbs = [await openDb(join(directory, 'parley.db')), await openDb(join(directory, 'parley.db'))]
})
afterEach(async () => {
  for (const db of dbs) await db.destroy()
  await rm(directory, { recursive: true })
})

async function enqueue(account_id: string, count: number): Promise<void> {
  const row = { kind: 'work', file_id: null, account_id, state: 'waiting' as const, run_after: now }
  const jobs = Array.from({ length: count }, () => ({ ...row, id: mintId('j'), attempts: 0, payload_json: '{}' }))
  for (let from = 0; from < count; from += 1_000) {
    const some = jobs.slice(from, from + 1_000).map((job) => ({ ...job, created_at: now }))
    await dbs[0].insertInto('jobs').values(some).execute()
  }
}

const claim = (process: 0 | 1) => claimJob(dbs[process], 'work', { node: `node-${process}`, running: [], now })

test('a giant account delays nobody: 400 jobs of 200 others are among the first 480 claims of two processes', async () => {
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
        // Each ends at once, so that only the turns count.
        await dbs[process].deleteFrom('jobs').where('id', '=', job.id).execute()
      }
    }),
  )
  expect(new Set(claimed).size).toBe(480)
  expect(accounts.filter((id) => id !== 'giant')).toHaveLength(400)
})

test('a claimed job is nobody else’s until its lease has ended; then the first claim of it counts no more', async () => {
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
})
