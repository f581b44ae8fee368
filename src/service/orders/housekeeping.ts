import { idempotencyRetentionMs } from '../../contract/limits.ts'
import type { Platform } from '../platform.ts'
import { voidLeftCharges } from './charge.ts'
import { removeBytes, removeRow } from './delete.ts'
import { setDelay } from './progress.ts'

/** Longer than any request may wait for its payment provider. */
const chargeSettlesMs = 60 * 60_000
const filesAtOnce = 100

/** Removes everything of sandbox files that are 24 hours old; their ledger stays (spec 1, rule 4; spec 8). */
export async function expireSandboxFiles(platform: Platform): Promise<void> {
  const { db, clock } = platform
  const expired = await db
    .selectFrom('files')
    .selectAll()
    .where('expires_at', '<=', clock())
    .limit(filesAtOnce)
    .execute()
  for (const file of expired) {
    await db.transaction().execute((trx) => removeRow(trx, file, clock()))
    await removeBytes(platform, file.account_id, file.id)
  }
}

/** Pays refunds once they are due: the next business day (spec 8). One that the provider refuses is tried again. */
export async function settleRefunds({ db, payment, clock, changes, log }: Platform): Promise<void> {
  const due = await db
    .selectFrom('ledger as refund')
    .innerJoin('ledger as charge', (join) =>
      join
        .onRef('charge.file_id', '=', 'refund.file_id')
        .on('charge.kind', '=', 'charge')
        .on('charge.status', '=', 'settled'),
    )
    .select(['refund.id', 'refund.transaction_id', 'refund.account_id', 'refund.amount_cents', 'refund.currency'])
    .select('charge.transaction_id as charged')
    .where('refund.kind', '=', 'refund')
    .where('refund.status', '=', 'pending')
    .where('refund.due_at', '<=', clock())
    .limit(filesAtOnce)
    .execute()
  for (const { id, transaction_id, account_id, amount_cents, currency, charged } of due) {
    try {
      await payment.refund({
        idempotencyKey: transaction_id,
        account: account_id,
        transactionId: charged,
        amountCents: -amount_cents,
        currency,
      })
      await db.updateTable('ledger').set({ status: 'settled' }).where('id', '=', id).execute()
      changes.notify({ kind: 'account', accountId: account_id })
    } catch (error) {
      log.warn({ err: error }, 'a refund could not be sent; it will be tried again')
    }
  }
}

/** Sets `delay_reason` of orders that are past their delivery date without one. */
export async function announceLateOrders(platform: Platform): Promise<void> {
  const late = await platform.db
    .selectFrom('files')
    .select('id')
    .where('progress_percent', '<', 100)
    .where('delay_reason', 'is', null)
    .where('delivery_at', '<', platform.clock())
    .limit(filesAtOnce)
    .execute()
  for (const { id } of late) await setDelay(platform, id, 'The transcript takes longer than planned.')
}

/** Deletes idempotency keys with their answers after 24 hours (decision 7). */
export async function purgeIdempotencyKeys({ db, clock }: Platform): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('created_at', '<=', clock() - idempotencyRetentionMs)
    .execute()
}

/** Voids charges that their own request could not void. */
export async function voidOldCharges(platform: Platform): Promise<void> {
  await voidLeftCharges(platform, platform.clock() - chargeSettlesMs)
}
