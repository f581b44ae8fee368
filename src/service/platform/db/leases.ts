import { PostgresAdapter, type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Trx } from './open.ts'
import type { Database } from './schema.ts'

/*
 * Leases. Work that only one process may do at a time is claimed by a row: its holder (`node`), its expiry
 * (`leased_until`), and how often it was claimed (`fence`). The holder renews the lease; once it stops, another process
 * continues. Every later write of the work checks its fencing token, so that a process suspended for longer than its
 * lease changes nothing.
 */

/** How long a lease lasts without renewal. */
const leaseMs = 60_000
export const renewEveryMs = 10_000

/** The database's own time: leases are never compared with the clocks of several machines. */
export const databaseNow = sql<number>`parley_now()`
/** Expiry of a lease taken or renewed now. */
export const leasedUntil = sql<number>`parley_now() + ${sql.lit(leaseMs)}`

/** Locks the rows of a query until its transaction ends, skipping those locked by others; SQLite has one writer. */
export function skipLocked<Tables extends keyof Database, Output>(
  trx: Trx,
  query: SelectQueryBuilder<Database, Tables, Output>,
): SelectQueryBuilder<Database, Tables, Output> {
  return isPostgres(trx) ? query.forUpdate().skipLocked() : query
}

let lost = 0

/** Counts work taken over from this process by another. */
export function countLost(count: number): void {
  lost += count
}

/** How much work others have taken over from this process since its start. */
export const leasesLost = (): number => lost

/** A lease that renews itself until it ends. */
export class Lease implements Disposable {
  readonly #timer: NodeJS.Timeout
  readonly #lost = new AbortController()

  /** @param renew extends the lease in the database. @returns false if it is no longer ours */
  constructor(renew: () => Promise<boolean>) {
    let lastRenewedMs = performance.now()
    this.#timer = setInterval(() => {
      renew().then(
        (isOurs) => {
          if (isOurs) lastRenewedMs = performance.now()
          else this.#lose()
        },
        () => {
          // The database is unreachable: until the lease expires, nobody else can have taken it.
          if (performance.now() - lastRenewedMs > leaseMs) this.#lose()
        },
      )
    }, renewEveryMs).unref()
  }

  /** Aborted when another process may have taken over. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  #lose(): void {
    countLost(1)
    this[Symbol.dispose]()
    this.#lost.abort(new DOMException('Another process has taken this work over.', 'AbortError'))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

const leasedTables = ['idempotency', 'charge_intents', 'jobs', 'deliveries'] as const

/**
 * Ends the leases that this node held before it died. Call it only if nobody else can have this node's name, which the
 * lock of the data directory guarantees.
 */
export async function endNodeLeases(db: Db, node: string): Promise<void> {
  for (const table of leasedTables) {
    await db.updateTable(table).set({ leased_until: 0 }).where('node', '=', node).execute()
  }
}

/** True if a database is PostgreSQL, false if it is SQLite. */
export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
