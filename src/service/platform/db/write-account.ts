import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { isDatabaseAway } from './database-away.ts'
import { isPostgres } from './leases.ts'
import type { Db, Trx } from './open.ts'

const mostTries = 3
const triesAgainAfterMs = 50
/** A request is refused after this long if it cannot reach the database at all. */
const triesForMs = 3_000
/** How long to ask for the outcome of a commit that was not acknowledged. */
const asksForMs = 30_000

/** Transactions to retry, by PostgreSQL's codes: a serialization failure, a deadlock. */
const collisions: readonly unknown[] = ['40001', '40P01']

/** One attempt of a transaction. `transaction` is its id in PostgreSQL, which later knows its outcome. */
type Try<Result> = { transaction: string | null; done: { result: Result } | null }

/**
 * Runs a transaction under a lock by name, exclusive across all processes: what it has read stays true until its
 * commit. SQLite has one writer for the whole database (`begin immediate`); PostgreSQL takes an advisory lock. There, a
 * transaction that collided or lost its connection is retried, and the outcome of an unacknowledged commit is looked
 * up.
 * @param work may run more than once
 */
export async function transactAlone<Result>(
  db: Db,
  name: string,
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  if (!isPostgres(db)) return await db.transaction().execute(work)
  const startedMs = performance.now()
  for (let tries = 1; ; tries += 1) {
    const current: Try<Result> = { transaction: null, done: null }
    try {
      return await db.transaction().execute(async (trx) => {
        current.transaction = await lock(trx, name)
        current.done = { result: await work(trx) }
        return current.done.result
      })
    } catch (error) {
      const isLost = isDatabaseAway(error)
      if (isLost && current.done !== null && (await isCommitted(db, current.transaction, error)))
        return current.done.result
      const isOver = tries >= mostTries || (isLost && performance.now() - startedMs > triesForMs)
      if (isOver || !(isLost || isCollision(error))) throw error
      await wait(triesAgainAfterMs * tries)
    }
  }
}

/** @returns the transaction's id */
async function lock(trx: Trx, name: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select pg_advisory_xact_lock(hashtextextended(${name}, 0)), pg_current_xact_id()::text as id`.execute(trx)
  return rows[0]?.id ?? ''
}

function isCollision(error: unknown): boolean {
  return error instanceof Error && 'code' in error && collisions.includes(error.code)
}

/** Whether a transaction was committed whose connection broke during the commit. @throws if that stays unknown */
async function isCommitted(db: Db, transaction: string | null, lost: unknown): Promise<boolean> {
  for (const endMs = performance.now() + asksForMs; performance.now() < endMs; await wait(triesAgainAfterMs)) {
    try {
      const { rows } = await sql<{ status: string | null }>`
        select pg_xact_status(${transaction}::xid8) as status`.execute(db)
      const status = rows[0]?.status
      if (status === 'committed') return true
      if (status === 'aborted') return false
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
    }
  }
  throw lost
}

declare const hasAccountLock: unique symbol

/**
 * A transaction that changes rows of one account, and the only kind that may: events, versions, jobs, money and the
 * audit log are written in no other. Only `writeAccount` makes one, so passing a database or another transaction does
 * not compile.
 */
export type AccountTrx = Trx & { readonly accountId: string; readonly [hasAccountLock]: true }

/**
 * Changes rows of one account, one writer at a time. Keep it short: never wait for anything external within it, and
 * never open one for another account.
 * @param work may run more than once
 */
export async function writeAccount<Result>(
  db: Db,
  accountId: string,
  work: (trx: AccountTrx) => Promise<Result>,
): Promise<Result> {
  return await transactAlone(db, accountId, (trx) => work(Object.assign(trx, { accountId }) as AccountTrx))
}
