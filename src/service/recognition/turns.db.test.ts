import { expect, it } from 'vitest'
import type { Db } from '../platform/db/open.ts'
import type { Job } from '../platform/db/schema.ts'
import { mintId } from '../platform/ids.ts'
import { claimJob } from '../platform/queue/claim-job.ts'
import { openTestDbs } from '../testing/test-dbs.ts'

const workers = 4
const singles = 100
/** Duration of each step in seconds, for a ten-minute recording and an engine that takes 0.3 of its length. */
const takes: Readonly<Record<string, number>> = { decode: 1, hear: 180, join: 1 }
const next: Readonly<Record<string, string>> = { decode: 'hear', hear: 'join' }

async function enqueue(db: Db, accounts: readonly string[]): Promise<void> {
  const row = {
    kind: 'speech',
    file_id: null,
    state: 'waiting' as const,
    run_after: 0,
    attempts: 0,
    payload_json: '{}',
  }
  for (let from = 0; from < accounts.length; from += 1_000) {
    const some = accounts.slice(from, from + 1_000)
    const jobs = some.map((account_id, index) => ({ ...row, id: mintId('j'), account_id, created_at: from + index }))
    await db.insertInto('jobs').values(jobs).execute()
  }
}

async function endStep(db: Db, { id, step }: Job): Promise<void> {
  const following = next[step ?? 'decode']
  if (following === undefined) await db.deleteFrom('jobs').where('id', '=', id).execute()
  else
    await db
      .updateTable('jobs')
      .set({ step: following, state: 'waiting', leased_until: 0 })
      .where('id', '=', id)
      .execute()
}

/** Runs workers until all single recordings have begun. @returns the wait of each in seconds */
async function waitsOfSingles(db: Db): Promise<number[]> {
  const waits: number[] = []
  const running: { job: Job; endsAt: number }[] = []
  for (let now = 0; waits.length < singles; ) {
    while (running.length < workers) {
      const job = await claimJob(db, 'speech', { node: 'node', running: running.map((run) => run.job.id), now })
      if (job === undefined) break
      if (job.step === 'hear' && job.account_id !== 'giant') waits.push(now)
      running.push({ job, endsAt: now + (takes[job.step ?? 'decode'] ?? 0) })
    }
    running.sort((a, b) => a.endsAt - b.endsAt)
    const ended = running.shift()
    if (ended === undefined) throw new Error('Nothing runs, though recordings wait.')
    now = ended.endsAt
    await endStep(db, ended.job)
  }
  return waits.toSorted((a, b) => a - b)
}

it('alongside 10,000 recordings of one account, the 95th of 100 single ones waits at most twice as long as alone', {
  timeout: 300_000,
}, async () => {
  const others = Array.from({ length: singles }, (_, index) => `account-${index}`)
  const p95: number[] = []
  for (const giants of [0, 10_000]) {
    const { dbs, remove } = await openTestDbs()
    await enqueue(dbs[0], [...Array.from({ length: giants }, () => 'giant'), ...others])
    p95.push((await waitsOfSingles(dbs[0]))[Math.ceil(singles * 0.95) - 1] ?? Number.NaN)
    await remove()
  }
  const [alone = Number.NaN, beside = Number.NaN] = p95
  expect(alone).toBeGreaterThan(0)
  expect(beside / alone, `${alone} s alone, ${beside} s beside the giant`).toBeLessThanOrEqual(2)
})
