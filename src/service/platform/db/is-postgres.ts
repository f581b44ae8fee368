import { PostgresAdapter } from 'kysely'
import type { Db } from './open.ts'

/** True where a database is PostgreSQL, false where it is SQLite. */
export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
