import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { migrate } from './migrations.ts'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>

/** The subset of better-sqlite3 that kysely's SQLite dialect asks for, on Node's own SQLite. */
function asDialectDatabase(sqlite: DatabaseSync) {
  return {
    close: () => sqlite.close(),
    prepare(text: string) {
      const statement = sqlite.prepare(text)
      return {
        /** true for statements that give rows back, `returning` included */
        reader: statement.columns().length > 0,
        all: (parameters: readonly unknown[]) => statement.all(...(parameters as never[])),
        run: (parameters: readonly unknown[]) => statement.run(...(parameters as never[])),
        iterate: (parameters: readonly unknown[]) => statement.iterate(...(parameters as never[])),
      }
    },
  }
}

/**
 * Opens and migrates the database file, durable at each commit (WAL, synchronous=FULL). Other processes may have it
 * open too: a write waits up to 5 s for its turn.
 * @throws where the file is no database, is damaged or cannot be written
 */
export async function openDb(path: string): Promise<Db> {
  const sqlite = new DatabaseSync(path)
  sqlite.exec(
    'pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on',
  )
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: asDialectDatabase(sqlite) }) })
  await migrate(db)
  return db
}
