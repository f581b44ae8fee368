import { type RawBuilder, sql } from 'kysely'
import { databaseNow, leasedUntil } from '../db/leases.ts'
import type { Db, Trx } from '../db/open.ts'
import type { Job } from '../db/schema.ts'

/** So many accounts are tried, the first in turn first: others may claim at the same moment. */
const accountsTried = 5

export type Claimant = {
  /** name of the process in leases */
  node: string
  /** jobs that it runs already: never claimed again, even where the clock leaps past their leases */
  running: readonly string[]
  now: number
}

/** Jobs that may be claimed: those that are due, and those whose process has died. */
function isDue(now: number, running: readonly string[]): RawBuilder<boolean> {
  const others = running.length === 0 ? sql`true` : sql`id not in (${sql.join(running)})`
  return sql<boolean>`(state = 'waiting' and run_after <= ${now}
    or state = 'running' and leased_until < ${databaseNow} and ${others})`
}

/**
 * Accounts with jobs that are due: with the fewest running ones first, among several the one that has waited longest. The
 * recursion finds each account by one step in the index, however many jobs it has.
 */
async function accountsInTurn(trx: Trx, kind: string, { now, running }: Claimant): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive
      others(id) as (
        select min(account_id) from jobs where kind = ${kind} and state != 'failed'
        union all
        select (select min(account_id) from jobs where kind = ${kind} and state != 'failed' and account_id > others.id)
        from others where others.id is not null),
      busy(id, jobs) as (
        select account_id, count(*) from jobs
        where kind = ${kind} and state = 'running' and leased_until > ${databaseNow} group by account_id)
    select others.id from others
      left join busy on busy.id = others.id
      left join turns on turns.account_id = others.id and turns.kind = ${kind}
    where exists (select 1 from jobs where kind = ${kind} and account_id = others.id and ${isDue(now, running)})
    order by coalesce(busy.jobs, 0), coalesce(turns.served_at, 0), others.id
    limit ${sql.lit(accountsTried)}`.execute(trx)
  return rows.map(({ id }) => id)
}

/**
 * Claims the oldest job of the account whose turn it is, for as long as its lease is renewed. Fair between accounts,
 * whichever processes claim.
 */
export function claimJob(db: Db, kind: string, claimant: Claimant): Promise<Job | undefined> {
  const { node, now, running } = claimant
  return db.transaction().execute(async (trx) => {
    for (const accountId of await accountsInTurn(trx, kind, claimant)) {
      const oldest = trx
        .selectFrom('jobs')
        .select('id')
        .where('kind', '=', kind)
        .where('account_id', '=', accountId)
        .where(isDue(now, running))
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
      const job = await trx
        .updateTable('jobs')
        .set((eb) => ({
          state: 'running',
          attempts: eb('attempts', '+', 1),
          node,
          fence: eb('fence', '+', 1),
          leased_until: leasedUntil,
        }))
        .where('id', '=', oldest)
        .returningAll()
        .executeTakeFirst()
      if (job === undefined) continue
      await trx
        .insertInto('turns')
        .values({ kind, account_id: accountId, served_at: databaseNow })
        .onConflict((conflict) => conflict.columns(['kind', 'account_id']).doUpdateSet({ served_at: databaseNow }))
        .execute()
      return job
    }
    return undefined
  })
}

/** True while a claimed job is there and nobody else has claimed it. */
export async function isClaimed(db: Db, { id, fence }: Pick<Job, 'id' | 'fence'>): Promise<boolean> {
  const found = db.selectFrom('jobs').select('id').where('id', '=', id).where('fence', '=', fence)
  return (await found.executeTakeFirst()) !== undefined
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
