import type { Db } from '../db/open.ts'

const everyMs = 60_000

/** When keys were last used, to the minute, written down together: one write for each read would cost more than it. */
export class KeyUse {
  readonly #notedAt = new Map<string, number>()
  #unwritten = new Map<string, number>()

  /** @param lastUsedAt as it stands in the database */
  note(keyId: string, lastUsedAt: number | null, now: number): void {
    if (now - (this.#notedAt.get(keyId) ?? lastUsedAt ?? 0) < everyMs) return
    this.#notedAt.set(keyId, now)
    this.#unwritten.set(keyId, now)
  }

  /** Writes down what was noted since the last time. */
  async write(db: Db): Promise<void> {
    const noted = this.#unwritten
    if (noted.size === 0) return
    this.#unwritten = new Map()
    await db.transaction().execute(async (trx) => {
      for (const [id, at] of noted)
        await trx.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', id).execute()
    })
    // A key that was noted before this minute says nothing that the database does not.
    this.#notedAt.clear()
    for (const [id, at] of noted) this.#notedAt.set(id, at)
  }
}
