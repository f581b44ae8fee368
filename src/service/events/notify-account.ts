import { appendEvent } from '../db/outbox.ts'
import { writeAccount } from '../db/write-account.ts'
import type { Platform } from '../platform.ts'

/** Emits an event that has the account's dashboards read its settings again. */
export async function notifyAccount({ db, changes, clock }: Platform, accountId: string): Promise<void> {
  await writeAccount(db, accountId, (trx) => appendEvent(trx, 'account', {}, clock()))
  changes.notify({ kind: 'account', accountId })
}
