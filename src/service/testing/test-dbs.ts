import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDb } from '../platform/db/open.ts'
import { openPostgres } from '../platform/db/postgres/open-postgres.ts'
import { openTestSchema } from './postgres-schemas.ts'

/** For tests: one database of the test run's engine, as seen by two processes. Remove it at the end. */
export async function openTestDbs(): Promise<{ dbs: readonly [Db, Db]; remove(): Promise<void> }> {
  const postgres = await openTestSchema()
  const directory = await mkdtemp(join(tmpdir(), 'parley-dbs-'))
  const open = () => (postgres === null ? openDb(join(directory, 'parley.db')) : openPostgres(postgres))
  const dbs = [await open(), await open()] as const
  return {
    dbs,
    async remove() {
      for (const db of dbs) await db.destroy()
      await rm(directory, { recursive: true })
    },
  }
}
