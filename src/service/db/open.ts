import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { migrate } from './migrations.ts'
import { nodeSqliteDialect } from './node-sqlite-dialect.ts'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>

/**
 * Opens and migrates the database file, durable at each commit (WAL, synchronous=FULL). Other processes may have it
 * open too: a write waits up to 5 s for its turn, without holding up the process.
 * @throws where the file is no database, is damaged or cannot be written
 */
export async function openDb(path: string): Promise<Db> {
  const sqlite = new DatabaseSync(path, { timeout: 5_000 })
  sqlite.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  const db = new Kysely<Database>({ dialect: nodeSqliteDialect(sqlite) })
  await migrate(db)
  // From here on waiting is the dialect's, between the tries of which other requests are served.
  sqlite.exec('pragma busy_timeout = 0')
  return db
}
