import { fileById } from '../../platform/db/change-files.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { LedgerEntry } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { patchFile } from '../file/change-file.ts'
import { lateTransactionPrefix } from './payment/ledger-payment.ts'

/** Delay until a charge of a late-failing test card fails. */
export const failsLateAfterMs = 10_000

/** `delay_reason` of an order given up before its charge failed: there is nothing to refund. */
const givenUpUnpaid = 'The recording could not be transcribed. Its payment failed, so there is nothing to refund.'

/** Marks a charge as failed: none of it is refunded, and its file shows no charge (spec 2.2, `total`). */
async function failCharge(trx: AccountTrx, { id, transaction_id, file_id }: LedgerEntry, now: number) {
  const charge = trx.updateTable('ledger').set({ status: 'failed' }).where('id', '=', id)
  const { numUpdatedRows } = await charge.where('status', '=', 'settled').executeTakeFirst()
  if (numUpdatedRows === 0n) return // another process was faster
  await trx
    .updateTable('ledger')
    .set({ status: 'failed' })
    .where('file_id', '=', file_id)
    .where('kind', '=', 'refund')
    .where('status', '=', 'pending')
    .execute()
  const reason = `The bank reversed the charge ${transaction_id}.`
  await appendEvent(trx, 'payment-failed', { reason }, now)
  const file = await fileById(trx, file_id)
  if (file === undefined) return
  const told = file.given_up === 1 ? { delay_reason: givenUpUnpaid } : {}
  await patchFile(trx, file, { total_cents: 0, refund_cents: 0, ...told }, now)
}

/** Fails due charges of late-failing test cards. @returns how many failed */
export async function failLateCharges({ db, changes, clock }: Platform): Promise<number> {
  const now = clock()
  const due = await db
    .selectFrom('ledger')
    .selectAll()
    .where('status', '=', 'settled')
    .where('transaction_id', '>=', lateTransactionPrefix)
    .where('transaction_id', '<', `${lateTransactionPrefix}~`)
    .where('created_at', '<=', now - failsLateAfterMs)
    .execute()
  for (const entry of due) {
    await writeAccount(db, entry.account_id, (trx) => failCharge(trx, entry, now))
    changes.notify({ kind: 'account', accountId: entry.account_id })
  }
  return due.length
}
