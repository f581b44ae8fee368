import { idempotencyRetentionMs } from '../../contract/interface/limits.ts'
import type { Platform } from '../platform/platform.ts'
import { waitOfFile } from './create/queue-depth.ts'
import { writeFile } from './file/change-file.ts'
import { delayReasons, putOff } from './file/delays.ts'
import { removeBytes, removeRow } from './file/delete.ts'
import { isUnbegun, isUnfinished } from './file/unbegun.ts'

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

/**
 * Postpones orders past their delivery date, and gives a reason to those without. Those that nobody has begun get no
 * new date: they are refunded (`refundUnbegun`), or wait if they cost nothing.
 */
export async function putOffLateOrders(platform: Platform): Promise<void> {
  const late = await platform.db
    .selectFrom('files')
    .select('id')
    .where(isUnfinished)
    .where('delivery_at', '<', platform.clock())
    .where((eb) => eb.not(isUnbegun(platform.clock())))
    .where((eb) => eb.fn.coalesce('delay_reason', eb.val('')), '!=', delayReasons.typists)
    .limit(filesAtOnce)
    .execute()
  for (const { id } of late) await putOff(platform, id, null, { waitMs: await waitOfFile(platform, id) })
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
  const exports = await db.selectFrom('exports').select('id').execute()
  const known = new Set([...kept, ...[...files, ...exports].map(({ id }) => id)])
  for await (const id of blobs.ids(changedBefore)) if (!known.has(id)) await blobs.remove(id)
}
