import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migratePostgres } from '../platform/db/postgres/migrate-postgres.ts'
import { openPostgres } from '../platform/db/postgres/open-postgres.ts'
import type { PostgresConfig } from '../platform/db/postgres/postgres-config.ts'

/** The URL of the test run's PostgreSQL, if the suites run on it; see `start-postgres.ts`. */
const clusterUrl = process.env.PARLEY_TEST_POSTGRES

/** For tests: a dedicated migrated schema in the test run's PostgreSQL; null if the run is on SQLite. */
export async function openTestSchema(): Promise<PostgresConfig | null> {
  return clusterUrl === undefined ? null : await openSchema(clusterUrl)
}

/** A dedicated schema, migrated by default. */
export async function openSchema(clusterUrl: string, isMigrated = true): Promise<PostgresConfig> {
  const schema = `s${randomBytes(8).toString('hex')}`
  const client = new pg.Client(clusterUrl)
  await client.connect()
  await client.query(`create schema ${schema}`)
  await client.end()
  const url = `${clusterUrl}&options=${encodeURIComponent(`-c search_path=${schema}`)}`
  const config = { url, directUrl: url, pool: 5 }
  if (!isMigrated) return config
  const db = await openPostgres(config)
  await migratePostgres(db)
  await db.destroy()
  return config
}
