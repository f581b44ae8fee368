import type { Db, Trx } from './open.ts'

/**
 * Runs a transaction that no other one of the same name runs beside, in any process: what it has read stays true until its
 * commit. SQLite has one writer for the whole database (`begin immediate`).
 */
export async function transactAlone<Result>(
  db: Db,
  _name: string,
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  return await db.transaction().execute(work)
}

/**
 * A transaction that changes rows of one account, and the only one that may: events, versions, jobs and money are written
 * in nothing else, so the compiler finds who forgot.
 */
export type AccountTrx = Trx & { readonly accountId: string }

/**
 * Changes rows of one account, one writer at a time. Keep it short: never wait for anything outside within it, and never
 * open one for another account.
 */
export async function writeAccount<Result>(
  db: Db,
  accountId: string,
  work: (trx: AccountTrx) => Promise<Result>,
): Promise<Result> {
  return await transactAlone(db, accountId, (trx) => work(Object.assign(trx, { accountId })))
}
