import { appendEvent } from '../db/outbox.ts'
import type { Platform } from '../platform.ts'
import { lateTransactionPrefix } from './ledger-payment.ts'

/** A card that fails late takes its charge back this long after it was made. */
export const failsLateAfterMs = 10_000

/** Fails the charges of test cards that fail late, once they are due. @returns how many failed */
export async function failLateCharges({ db, changes, clock }: Platform): Promise<number> {
  const now = clock()
  const due = await db
    .selectFrom('ledger')
    .select('id')
    .where('status', '=', 'settled')
    .where('transaction_id', '>=', lateTransactionPrefix)
    .where('transaction_id', '<', `${lateTransactionPrefix}~`)
    .where('created_at', '<=', now - failsLateAfterMs)
    .execute()
  if (due.length === 0) return 0
  const accounts = await db.transaction().execute(async (trx) => {
    const failed = await trx
      .updateTable('ledger')
      .set({ status: 'failed' })
      .where(
        'id',
        'in',
        due.map(({ id }) => id),
      )
      .returning(['account_id', 'transaction_id'])
      .execute()
    for (const { account_id, transaction_id } of failed) {
      const reason = `The bank took the charge ${transaction_id} back.`
      await appendEvent(trx, account_id, 'payment-failed', { reason }, now)
    }
    return failed.map(({ account_id }) => account_id)
  })
  for (const accountId of new Set(accounts)) changes.tell({ kind: 'account', accountId })
  return accounts.length
}
