import { sql } from 'kysely'
import { databaseNow, Lease, leasedUntil } from '../db/leases.ts'
import type { Platform } from '../platform.ts'

/** A chore is due again this fraction of its interval early, so that the timer of the node that did it finds it due. */
const dueEarly = 0.1

/**
 * Runs a chore for all nodes: once per interval, one node at a time. Its lease lasts until it is due again.
 * @param isDueNow even if it was just done
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
        .where(isDueNow ? sql<boolean>`true` : sql<boolean>`chores.leased_until < ${databaseNow}`),
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
    await ours.set({ leased_until: sql<number>`${databaseNow} + ${sql.lit(restMs)}` }).execute()
  }
}
