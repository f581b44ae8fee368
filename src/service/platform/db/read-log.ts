import { type Actor, actor, appendLog } from './audit-log.ts'
import type { Db } from './open.ts'
import { writeAccount } from './write-account.ts'

type Read = {
  accountId: string
  file: { id: string; name: string }
  format: string
  by: Actor
  at: number
  times: number
}

/**
 * Transcripts that were read, for the audit log. Written in batches: a write for each would cost more than the read.
 */
export class ReadLog {
  #unwritten = new Map<string, Read>()

  note(accountId: string, file: { id: string; name: string }, format: string, now: number): void {
    const by = actor()
    if (by === null) return
    const key = JSON.stringify([file.id, format, by.keyId, by.address()])
    const known = this.#unwritten.get(key)
    const { id, name } = file
    this.#unwritten.set(key, { accountId, file: { id, name }, format, by, at: now, times: (known?.times ?? 0) + 1 })
  }

  /** Stores everything noted since the last call. */
  async write(db: Db): Promise<void> {
    const noted = [...this.#unwritten.values()]
    this.#unwritten = new Map()
    for (const [accountId, reads] of Map.groupBy(noted, (read) => read.accountId)) {
      await writeAccount(db, accountId, async (trx) => {
        for (const { file, format, by, at, times } of reads) {
          await appendLog(trx, { action: 'read', detail: format, file, times }, at, by)
        }
      })
    }
  }
}
