import { appendEvent } from '../db/outbox.ts'
import type { Platform } from '../platform.ts'

/** Emits an event that has the account's dashboards read its settings again. */
export async function notifyAccount({ db, changes, clock }: Platform, accountId: string): Promise<void> {
  await db.transaction().execute((trx) => appendEvent(trx, accountId, 'account', {}, clock()))
  changes.notify({ kind: 'account', accountId })
}
