import { sql } from 'kysely'
import type { Db } from './open.ts'

const everyMs = 60_000

/** When keys were last used, to the minute. Written in batches: a write for each read would cost more than the read. */
export class KeyUse {
  readonly #notedAt = new Map<string, number>()
  #unwritten = new Map<string, number>()

  /** @param lastUsedAt as stored in the database */
  note(keyId: string, lastUsedAt: number | null, now: number): void {
    if (now - (this.#notedAt.get(keyId) ?? lastUsedAt ?? 0) < everyMs) return
    this.#notedAt.set(keyId, now)
    this.#unwritten.set(keyId, now)
  }

  /** Stores everything noted since the last call. */
  async write(db: Db): Promise<void> {
    const noted = this.#unwritten
    if (noted.size === 0) return
    this.#unwritten = new Map()
    await db.transaction().execute(async (trx) => {
      // Sorted, so that nodes do not wait for each other's rows (deadlock); a later time from another node stays.
      for (const [id, at] of [...noted].sort()) {
        const isOlder = sql<boolean>`coalesce(last_used_at, 0) < ${at}`
        await trx.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', id).where(isOlder).execute()
      }
    })
    // Earlier ones are in the database by now.
    this.#notedAt.clear()
    for (const [id, at] of noted) this.#notedAt.set(id, at)
  }
}
