import { type RawBuilder, sql } from 'kysely'
import { databaseNow, leasedUntil, skipLocked } from '../db/leases.ts'
import type { Db, Trx } from '../db/open.ts'
import type { Job } from '../db/schema.ts'

/** How many accounts are tried, in order of turn, and how many times: others may claim at the same moment. */
const accountsTried = 5
const mostLooks = 10

export type Claimant = {
  /** name of the process in leases */
  node: string
  /** jobs that it already runs: never claimed again, even if the clock jumps past their leases */
  running: readonly string[]
  now: number
  /** an additional condition for jobs */
  only?: RawBuilder<boolean> | undefined
}

/** Claimable jobs: those that are due, and those whose process has died. */
function isDue({ now, running, only = sql<boolean>`true` }: Claimant): RawBuilder<boolean> {
  const others = running.length === 0 ? sql`true` : sql`id not in (${sql.join(running)})`
  return sql<boolean>`(state = 'waiting' and run_after <= ${now}
    or state = 'running' and leased_until < ${databaseNow} and ${others}) and ${only}`
}

/** An account with jobs that are due, and when it was last served. */
type Turn = { id: string; served_at: number }

/**
 * Accounts with due jobs: the fewest running ones first, then the longest wait. The recursion finds each account by one
 * step in the index, however many jobs it has.
 */
async function accountsInTurn(db: Db, kind: string, claimant: Claimant): Promise<Turn[]> {
  const { rows } = await sql<Turn>`
    with recursive
      others(id) as (
        select min(account_id) from jobs where kind = ${kind} and state != 'failed'
        union all
        select (select min(account_id) from jobs where kind = ${kind} and state != 'failed' and account_id > others.id)
        from others where others.id is not null),
      busy(id, jobs) as (
        select account_id, count(*) from jobs
        where kind = ${kind} and state = 'running' and leased_until > ${databaseNow} group by account_id)
    select others.id, coalesce(turns.served_at, 0) as served_at from others
      left join busy on busy.id = others.id
      left join turns on turns.account_id = others.id and turns.kind = ${kind}
    where exists (select 1 from jobs where kind = ${kind} and account_id = others.id and ${isDue(claimant)})
    order by coalesce(busy.jobs, 0), coalesce(turns.served_at, 0), others.id
    limit ${sql.lit(accountsTried)}`.execute(db)
  return rows
}

/**
 * Claims the oldest job of the account whose turn it is, for as long as its lease is renewed. Fair between accounts,
 * whichever processes claim. Writes nothing if nothing is due.
 */
export async function claimJob(db: Db, kind: string, claimant: Claimant): Promise<Job | undefined> {
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const turns = await accountsInTurn(db, kind, claimant)
    const job = await claimInTurn(db, kind, turns, claimant)
    if (job !== undefined || turns.length === 0) return job
  }
  return undefined
}

/** @returns undefined if others were faster with every account */
async function claimInTurn(db: Db, kind: string, turns: readonly Turn[], claimant: Claimant): Promise<Job | undefined> {
  for (const [index, turn] of turns.entries()) {
    // The last one is always served: if one account alone has work, all claim from it.
    const isLast = index === turns.length - 1
    const claimOfTurn = async (trx: Trx) =>
      (await takeTurn(trx, kind, turn, isLast)) ? await claimOldest(trx, kind, turn.id, claimant) : undefined
    // One transaction each: a holder of two turns could deadlock with another claimant.
    const job = await db.transaction().execute(claimOfTurn)
    if (job !== undefined) return job
  }
  return undefined
}

/** Waits while another process claims for the account. @returns false if it has been served since it was read */
async function takeTurn(trx: Trx, kind: string, { id, served_at }: Turn, inAnyCase: boolean): Promise<boolean> {
  const taken = await trx
    .insertInto('turns')
    .values({ kind, account_id: id, served_at: databaseNow })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'account_id'])
        .doUpdateSet({ served_at: databaseNow })
        .where(inAnyCase ? sql<boolean>`true` : sql<boolean>`turns.served_at = ${served_at}`),
    )
    .returning('kind')
    .executeTakeFirst()
  return taken !== undefined
}

async function claimOldest(trx: Trx, kind: string, accountId: string, claimant: Claimant): Promise<Job | undefined> {
  const oldest = trx
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('account_id', '=', accountId)
    .where(isDue(claimant))
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .$call((query) => skipLocked(trx, query))
  return await trx
    .updateTable('jobs')
    .set((eb) => ({
      state: 'running',
      attempts: eb('attempts', '+', 1),
      node: claimant.node,
      fence: eb('fence', '+', 1),
      leased_until: leasedUntil,
    }))
    .where('id', '=', oldest)
    .returningAll()
    .executeTakeFirst()
}

/** True while a claimed job exists and nobody else has claimed it. */
export async function isClaimed(db: Db, { id, fence }: Pick<Job, 'id' | 'fence'>): Promise<boolean> {
  const found = db.selectFrom('jobs').select('id').where('id', '=', id).where('fence', '=', fence)
  return (await found.executeTakeFirst()) !== undefined
}

/** How many of the jobs that are no longer ours another process has taken over; the others were removed. */
export async function countTakenOver(db: Db, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  return (await db.selectFrom('jobs').select('id').where('id', 'in', ids).execute()).length
}

/** Renews the leases of jobs. @returns the ids of those that are still ours */
export async function renewJobs(db: Db, jobs: readonly Pick<Job, 'id' | 'fence'>[]): Promise<ReadonlySet<string>> {
  const renewed = await db
    .updateTable('jobs')
    .set({ leased_until: leasedUntil })
    .where('state', '=', 'running')
    .where(
      'id',
      'in',
      jobs.map(({ id }) => id),
    )
    .returning(['id', 'fence'])
    .execute()
  const fences = new Map(renewed.map(({ id, fence }) => [id, fence]))
  return new Set(jobs.filter(({ id, fence }) => fences.get(id) === fence).map(({ id }) => id))
}
