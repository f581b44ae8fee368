import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/** Cached prepared statements; texts vary only with the length of lists, so this is seldom reached. */
const maxCachedStatements = 500
const busyForMs = 5_000
const busyRetryMs = 20
/** Queries that succeed while another process holds the write lock. */
const reads = /^\s*(select|with)\b/

/** True if SQLite reports another connection writing (SQLITE_BUSY, or _LOCKED, with any extended code). */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return code === 5 || code === 6
}

/** `givesRows`: a select, or anything with `returning`. */
type PreparedStatement = { statement: StatementSync; givesRows: boolean }

/** Node's own SQLite as kysely's one connection. Caches statements: preparing costs more than running most of them. */
class NodeSqliteConnection implements DatabaseConnection {
  readonly #sqlite: DatabaseSync
  readonly #prepared = new Map<string, PreparedStatement>()
  /** since when another process has held the write lock, and when that was last seen; null: it is free */
  #busy: { sinceMs: number; seenMs: number } | null = null

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite
  }

  #prepare(text: string): PreparedStatement {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    if (this.#prepared.size >= maxCachedStatements) this.#prepared.clear()
    const statement = this.#sqlite.prepare(text)
    const fresh = { statement, givesRows: statement.columns().length > 0 }
    this.#prepared.set(text, fresh)
    return fresh
  }

  #run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const { statement, givesRows } = this.#prepare(sql)
    const values = parameters as never[]
    if (givesRows) return { rows: statement.all(...values) as Row[] }
    const done = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(done.changes), insertId: BigInt(done.lastInsertRowid) }
  }

  /**
   * Waits for the write lock without blocking the process, unless a transaction is open: that has the lock already.
   * Queries queue here and share one wait: once another process has held the lock for `busyForMs`, they fail
   * immediately until it is released.
   */
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    for (;;) {
      try {
        const result = this.#run<Row>(query)
        if (!reads.test(query.sql)) this.#busy = null
        return result
      } catch (error) {
        if (!isBusy(error) || this.#sqlite.isTransaction) throw error
        if (this.#isBusyTooLong(performance.now())) throw error
        await wait(busyRetryMs)
      }
    }
  }

  /** Records that another process still holds the lock. @returns true if it has held it for too long */
  #isBusyTooLong(nowMs: number): boolean {
    const { sinceMs, seenMs } = this.#busy ?? { sinceMs: nowMs, seenMs: nowMs }
    // Last seen long ago: that was another lock.
    this.#busy = { sinceMs: nowMs - seenMs > busyForMs ? nowMs : sinceMs, seenMs: nowMs }
    return nowMs - this.#busy.sinceMs >= busyForMs
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    // Its own statement: a cached one could be run again while its rows are still being read.
    for (const row of this.#sqlite.prepare(sql).iterate(...(parameters as never[]))) yield { rows: [row as Row] }
  }
}

function openDriver(sqlite: DatabaseSync): Driver {
  const connection = new NodeSqliteConnection(sqlite)
  const run = async (statement: string) => void (await connection.executeQuery(CompiledQuery.raw(statement)))
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    // Takes the write lock at once: a transaction that reads first could fail at its first write if another was faster.
    beginTransaction: () => run('begin immediate'),
    commitTransaction: () => run('commit'),
    rollbackTransaction: async () => {
      // SQLite rolls back automatically on errors such as a full disk.
      if (sqlite.isTransaction) await run('rollback')
    },
    releaseConnection: async () => {},
    destroy: async () => sqlite.close(),
  }
}

/** Kysely's SQLite dialect on `node:sqlite`, which avoids building a native module. */
export function nodeSqliteDialect(sqlite: DatabaseSync): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => openDriver(sqlite),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
