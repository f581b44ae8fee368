import { setTimeout as wait } from 'node:timers/promises'
import { databaseNow, Lease, leasedUntil } from '../../platform/db/leases.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'

const pollEveryMs = 100

/** Another request keeps writing to an upload although it was asked to release it. */
export function uploadIsBusy(): ServiceError {
  return new ServiceError(503, 'The upload is still being written by another request.', { 'retry-after': '5' })
}

/** The counterpart of `UploadLocks` between nodes: a lease in the upload's row. */
export class UploadLeases {
  readonly #platform: Pick<Platform, 'db' | 'node' | 'changes' | 'log'>

  constructor(platform: Pick<Platform, 'db' | 'node' | 'changes' | 'log'>) {
    this.#platform = platform
  }

  /**
   * Runs `work` while no other node holds the upload.
   * @param onWanted called when another node waits, or has taken over because this one stalled too long
   * @throws ServiceError 503 if the holder does not let go until `waitEndsAt` (milliseconds, monotonic)
   */
  async hold<Result>(
    id: string,
    work: (fence: number) => Promise<Result>,
    onWanted: () => void,
    waitEndsAt: number,
  ): Promise<Result> {
    const { db, changes, log } = this.#platform
    const fence = await this.#take(id, waitEndsAt)
    const ours = db.updateTable('uploads').where('id', '=', id).where('fence', '=', fence)
    using lease = new Lease(async () => {
      const renewed = await ours.set({ leased_until: leasedUntil }).executeTakeFirst()
      return renewed.numUpdatedRows > 0n
    })
    lease.lost.addEventListener('abort', onWanted)
    const unsubscribe = changes.subscribe((change) => {
      if (change.kind === 'upload-wanted' && change.uploadId === id) onWanted()
    })
    try {
      return await work(fence)
    } finally {
      unsubscribe()
      const freed = ours.set({ leased_until: 0 }).execute()
      await freed.catch((error: unknown) => log.warn({ err: error }, 'an upload is free once its lease has ended'))
    }
  }

  /** @returns the fencing token; 0 if there is no such upload, which `work` then finds out */
  async #take(id: string, waitEndsAt: number): Promise<number> {
    const { db, node, changes } = this.#platform
    for (;;) {
      const taken = await db
        .updateTable('uploads')
        .set((eb) => ({ node, fence: eb('fence', '+', 1), leased_until: leasedUntil }))
        .where('id', '=', id)
        .where('leased_until', '<', databaseNow)
        .returning('fence')
        .executeTakeFirst()
      if (taken !== undefined) return taken.fence
      const known = await db.selectFrom('uploads').select('id').where('id', '=', id).executeTakeFirst()
      if (known === undefined) return 0
      if (performance.now() >= waitEndsAt) throw uploadIsBusy()
      changes.notify({ kind: 'upload-wanted', uploadId: id })
      await wait(pollEveryMs)
    }
  }
}
