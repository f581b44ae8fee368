import { appendLog, type Logged } from '../../platform/db/audit-log.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'

/** Emits an event that has the account's dashboards read its settings again, and enters in its log what was done. */
export async function notifyAccount(
  { db, changes, clock }: Platform,
  accountId: string,
  logged: Logged | null = null,
): Promise<void> {
  await writeAccount(db, accountId, async (trx) => {
    await appendEvent(trx, 'account', {}, clock())
    if (logged !== null) await appendLog(trx, logged, clock())
  })
  changes.notify({ kind: 'account', accountId })
}
