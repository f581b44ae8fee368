import { sql } from 'kysely'
import { findMissing } from '../migrations.ts'
import type { Db } from '../open.ts'
import { transactAlone } from '../write-account.ts'
import { appliedMigrations } from './open-postgres.ts'

/**
 * `parley migrate`: migrates a PostgreSQL database in one transaction, one process at a time.
 * @returns the names of the newly applied migrations
 * @throws StartError as `findMissing`; nothing is changed then
 */
export async function migratePostgres(db: Db): Promise<readonly string[]> {
  return await transactAlone(db, 'parley migrations', async (trx) => {
    const applied = await appliedMigrations(trx)
    const missing = findMissing(applied, 1)
    if (applied.length === 0) {
      await sql`create table migrations (name text primary key, applied_at bigint not null)`.execute(trx)
    }
    for (const { name, postgres } of missing) {
      for (const statement of postgres) await sql.raw(statement).execute(trx)
      await sql`insert into migrations (name, applied_at) values (${name}, ${Date.now()})`.execute(trx)
    }
    return missing.map(({ name }) => name)
  })
}
