import { PostgresAdapter } from 'kysely'
import type { Db } from './open.ts'

/** True if a database is PostgreSQL, false if it is SQLite. */
export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
