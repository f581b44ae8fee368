import { appendEvent } from '../platform/db/outbox.ts'
import { type AccountTrx, writeAccount } from '../platform/db/write-account.ts'
import type { Platform } from '../platform/platform.ts'

/**
 * Changes rows of an account and has its dashboards reload its settings. The event is written in the same transaction,
 * so a crash never leaves one without the other. Write audit log entries there, too.
 * @param work the change; may run more than once
 */
export async function notifyAccount<Result>(
  { db, changes, clock }: Pick<Platform, 'db' | 'changes' | 'clock'>,
  accountId: string,
  work: (trx: AccountTrx) => Promise<Result>,
): Promise<Result> {
  const result = await writeAccount(db, accountId, async (trx) => {
    const done = await work(trx)
    await appendEvent(trx, 'account', {}, clock())
    return done
  })
  changes.notify({ kind: 'account', accountId })
  return result
}
