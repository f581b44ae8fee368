import { DatabaseSync } from 'node:sqlite'
import { Kysely, type Transaction } from 'kysely'
import { migrate } from './migrations.ts'
import { nodeSqliteDialect } from './node-sqlite-dialect.ts'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>
export type Trx = Transaction<Database>

/** Checking a larger database would delay the start too long; its damage is found when it is read. */
const checkedUpToBytes = 200_000_000

/** @throws if pages of the database are damaged */
function requireSound(sqlite: DatabaseSync): void {
  const pages = Number(sqlite.prepare('pragma page_count').get()?.page_count)
  const pageBytes = Number(sqlite.prepare('pragma page_size').get()?.page_size)
  if (pages * pageBytes > checkedUpToBytes) return
  const found = sqlite.prepare('pragma quick_check(1)').get()?.quick_check
  if (found !== 'ok') throw new Error(`the database is damaged (${String(found).split('\n', 1)[0]})`)
}

/**
 * Opens and migrates the database file, durable at each commit (WAL, synchronous=FULL). Other processes may have it
 * open too: a write waits up to 5 s for the lock, without blocking the process.
 * @throws if the file is not a database, is damaged or cannot be written
 */
export async function openDb(path: string): Promise<Db> {
  const sqlite = new DatabaseSync(path, { timeout: 5_000 })
  // The database's own time (`leases.ts`): that of the one machine with the file.
  sqlite.function('parley_now', () => Date.now())
  sqlite.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  // Overwrites data that customers delete, instead of only unlinking it.
  sqlite.exec('pragma secure_delete = on')
  requireSound(sqlite)
  const db = new Kysely<Database>({ dialect: nodeSqliteDialect(sqlite) })
  await migrate(db)
  // From here on the dialect waits, so that other requests are served between its retries.
  sqlite.exec('pragma busy_timeout = 0')
  return db
}
