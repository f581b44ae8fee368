import { sql } from 'kysely'
import type { Change } from '../db/changes.ts'
import { databaseNow, Lease, leasedUntil } from '../db/leases.ts'
import type { Platform } from '../platform.ts'

/** A scheduled task (cron). */
export type Chore = {
  /** if nodes share a database, one runs it for all; without a name, each runs it for itself */
  name?: string
  everyMs: number
  /** also runs as soon as a change of this kind is told, so that it need not look often */
  wakes?: Change['kind']
  /** also runs as soon as the service has started */
  atStart?: true
  /** frees disk space: it also works on a full disk */
  frees?: true
  /** @param signal aborted when the service ends, which waits for nothing external, or another node has taken over */
  run(platform: Platform, signal: AbortSignal): Promise<unknown>
}

export type Chores = {
  /** Runs all of them now, sequentially. */
  runAll(): Promise<void>
  /** Starts no more, aborts those in progress, and waits for them. */
  close(): Promise<void>
}

/**
 * Schedules chores at intervals of real time; they read from the platform's clock what is due. None overlaps itself.
 */
export function startChores(platform: Platform, chores: readonly Chore[]): Chores {
  const underWay = new Map<Chore, Promise<void>>()
  const stop = new AbortController()

  async function attempt({ name, everyMs, frees, run }: Chore, isDueNow: boolean): Promise<void> {
    const work = (signal: AbortSignal) => {
      const use = () => run(platform, signal)
      return frees ? platform.reserve.use(use) : use()
    }
    try {
      const isShared = platform.config.postgres !== null && name !== undefined
      if (!isShared) await work(stop.signal)
      else {
        const withLease = (lost: AbortSignal) => work(AbortSignal.any([stop.signal, lost]))
        await doForAllNodes(platform, { name, everyMs }, isDueNow, withLease)
      }
    } catch (error) {
      platform.log.warn({ err: error }, 'a chore failed; it will be retried')
    }
  }

  function run(chore: Chore, isDueNow = false): Promise<void> {
    const running = underWay.get(chore) ?? attempt(chore, isDueNow).finally(() => underWay.delete(chore))
    underWay.set(chore, running)
    return running
  }

  const unsubscribe = platform.changes.subscribe(({ kind }) => {
    for (const chore of chores.filter(({ wakes }) => wakes === kind)) {
      // One that is running may have looked already.
      if (!stop.signal.aborted) void (underWay.get(chore) ?? Promise.resolve()).then(() => run(chore, true))
    }
  })
  const timers = chores.map((chore) => setInterval(() => void run(chore), chore.everyMs).unref())
  for (const chore of chores) if (chore.atStart) void run(chore)
  return {
    async runAll() {
      for (const chore of chores) {
        await underWay.get(chore)
        await run(chore, true)
      }
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      unsubscribe()
      stop.abort()
      await Promise.all(underWay.values())
    },
  }
}

/** A chore is due again this fraction of its interval early, so that the timer of the node that did it finds it due. */
const dueEarly = 0.1

/** Nobody is doing it: it only is not due yet. */
const orResting = sql`or chores.node = ''`

/**
 * Runs a chore for all nodes: once per interval, one node at a time. Its lease lasts until it is due again.
 * @param isDueNow even if it was just done, unless a node is doing it
 * @param work gets a signal that is aborted when another node may have taken over
 */
export async function doForAllNodes(
  { db, node }: Pick<Platform, 'db' | 'node'>,
  { name, everyMs }: { name: string; everyMs: number },
  isDueNow: boolean,
  work: (lost: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const claim = { node, leased_until: leasedUntil }
  const claimed = await db
    .insertInto('chores')
    .values({ name, ...claim })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(claim)
        .where(sql<boolean>`chores.leased_until < ${databaseNow} ${isDueNow ? orResting : sql``}`),
    )
    .returning('name')
    .executeTakeFirst()
  if (claimed === undefined) return
  const ours = db.updateTable('chores').where('name', '=', name).where('node', '=', node)
  const startedMs = performance.now()
  using lease = new Lease(async () => {
    const renewed = await ours.set({ leased_until: leasedUntil }).executeTakeFirst()
    return renewed.numUpdatedRows > 0n
  })
  try {
    await work(lease.lost)
  } finally {
    const restMs = Math.max(0, Math.round(everyMs * (1 - dueEarly) - (performance.now() - startedMs)))
    await ours.set({ node: '', leased_until: sql<number>`${databaseNow} + ${sql.lit(restMs)}` }).execute()
  }
}
