import { appendEvent } from '../db/outbox.ts'
import type { Platform } from '../platform.ts'

/** Tells the account's dashboards that its settings changed: they read them again. */
export async function notifyAccount({ db, changes, clock }: Platform, accountId: string): Promise<void> {
  await db.transaction().execute((trx) => appendEvent(trx, accountId, 'account', {}, clock()))
  changes.notify({ kind: 'account', accountId })
}
