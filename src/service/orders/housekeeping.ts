import { idempotencyRetentionMs } from '../../contract/interface/limits.ts'
import type { Db } from '../platform/db/open.ts'
import { writeAccount } from '../platform/db/write-account.ts'
import type { Platform } from '../platform/platform.ts'
import { waitOfFile } from './create/queue-depth.ts'
import { writeFile } from './file/change-file.ts'
import { delayReasons, putOff } from './file/delays.ts'
import { removeBytes, removeRow } from './file/delete.ts'

const filesAtOnce = 100

/** Removes sandbox files after 24 hours with all their data; their ledger stays (spec 1, rule 4; spec 8). */
export async function expireSandboxFiles(platform: Platform): Promise<void> {
  const { db, clock } = platform
  const expired = await db
    .selectFrom('files')
    .select(['id', 'account_id'])
    .where('expires_at', '<=', clock())
    .limit(filesAtOnce)
    .execute()
  for (const { id, account_id } of expired) {
    await writeFile(db, id, (trx, file) => removeRow(trx, file, clock()))
    await removeBytes(platform, account_id, id)
  }
}

const shortestRefundPauseMs = 60_000
const longestRefundPauseMs = 24 * 60 * 60_000

/**
 * Pays refunds once they are due: the next business day (spec 8). One that the provider rejects is retried with
 * exponential backoff, up to a day, so that it blocks no other.
 */
export async function settleRefunds(platform: Platform, signal: AbortSignal): Promise<void> {
  const { db, payment, clock, changes, log } = platform
  for (const { id, due_at, account_id, environment, ...request } of await dueRefunds(platform)) {
    if (signal.aborted) return
    try {
      await payment[environment].refund({ ...request, account: account_id, amountCents: -request.amountCents }, signal)
      await writePending(db, account_id, id, { status: 'settled' })
      changes.notify({ kind: 'account', accountId: account_id })
    } catch (error) {
      if (signal.aborted) return
      const pauseMs = Math.min(Math.max(clock() - due_at, shortestRefundPauseMs), longestRefundPauseMs)
      const next_try_at = clock() + pauseMs
      await writePending(db, account_id, id, { next_try_at })
      log.warn({ err: error, refund: request.idempotencyKey }, 'a refund could not be sent; it will be retried')
    }
  }
}

/** Changes a refund, unless it was settled or its charge failed in the meantime. */
async function writePending(
  db: Db,
  accountId: string,
  id: number,
  values: { status: 'settled' } | { next_try_at: number },
): Promise<void> {
  await writeAccount(db, accountId, async (trx) => {
    await trx.updateTable('ledger').set(values).where('id', '=', id).where('status', '=', 'pending').execute()
  })
}

/** Longest waiting first. `amountCents` as in the ledger, below 0. */
function dueRefunds({ db, clock }: Platform) {
  return db
    .selectFrom('ledger as refund')
    .innerJoin('ledger as charge', (join) =>
      join
        .onRef('charge.file_id', '=', 'refund.file_id')
        .on('charge.kind', '=', 'charge')
        .on('charge.status', '=', 'settled'),
    )
    .innerJoin('accounts', 'accounts.id', 'refund.account_id')
    .select(['accounts.environment', 'refund.id', 'refund.due_at', 'refund.account_id', 'refund.currency'])
    .select(['refund.transaction_id as idempotencyKey', 'refund.amount_cents as amountCents'])
    .select('charge.transaction_id as transactionId')
    .where('refund.kind', '=', 'refund')
    .where('refund.status', '=', 'pending')
    .where('refund.due_at', '<=', clock())
    .where((eb) => eb.fn.coalesce('refund.next_try_at', 'refund.due_at'), '<=', clock())
    .orderBy((eb) => eb.fn.coalesce('refund.next_try_at', 'refund.due_at'))
    .limit(filesAtOnce)
    .execute()
}

/**
 * Postpones orders past their delivery date, and gives a reason to those without. Those without typists get no new
 * date.
 */
export async function putOffLateOrders(platform: Platform): Promise<void> {
  const late = await platform.db
    .selectFrom('files')
    .select('id')
    .where('progress_percent', '<', 100)
    .where('given_up', '=', 0)
    .where('delivery_at', '<', platform.clock())
    .where((eb) => eb.fn.coalesce('delay_reason', eb.val('')), '!=', delayReasons.typists)
    .limit(filesAtOnce)
    .execute()
  for (const { id } of late) await putOff(platform, id, null, null, await waitOfFile(platform, id))
}

/** Deletes idempotency keys with their responses after 24 hours (decision 7). */
export async function purgeIdempotencyKeys({ db, clock }: Platform): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('created_at', '<=', clock() - idempotencyRetentionMs)
    .execute()
}

/**
 * Removes orphaned bytes, which a crash during an order or a deletion leaves.
 * @param changedBefore (milliseconds since 1970) skips anything changed since: it may belong to work in progress, here
 *   or on another node. Infinity: there is none.
 */
export async function removeOrphans({ db, blobs }: Platform, changedBefore: number): Promise<void> {
  // Uploads come first: one that becomes a file in between is in one of the two lists.
  const uploads = await db.selectFrom('uploads').select('object_id').where('file_id', 'is', null).execute()
  const kept = new Set(uploads.flatMap(({ object_id }) => object_id ?? []))
  await blobs.removeStaged(changedBefore, kept)
  const files = await db.selectFrom('files').select('id').execute()
  const known = new Set([...kept, ...files.map(({ id }) => id)])
  for await (const id of blobs.ids(changedBefore)) if (!known.has(id)) await blobs.remove(id)
}
