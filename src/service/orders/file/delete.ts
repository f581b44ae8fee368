import { deletionWindow, refundCents } from '../../../contract/interface/deletion.ts'
import { refundHeader } from '../../../contract/interface/headers.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import { appendEvent, nextFileVersion } from '../../platform/db/outbox.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import { StorageAwayError } from '../../platform/media/file-errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { enterRefund, paidCents } from '../books/enter-in-ledger.ts'
import { returnFreeMinutes } from '../books/return-free-minutes.ts'
import { changeFile } from './change-file.ts'
import { leaveDuplicates } from './duplicates.ts'
import { fileNotFound } from './own-file.ts'

/**
 * Deletes a file's row, jobs and pieces, and leaves a tombstone for changed-since reads.
 * @param why for the audit log
 */
export async function removeRow(trx: AccountTrx, file: FileRow, now: number, why = ''): Promise<void> {
  await leaveDuplicates(trx, file)
  await trx.deleteFrom('jobs').where('file_id', '=', file.id).execute()
  await trx.deleteFrom('pieces').where('file_id', '=', file.id).execute()
  await trx.deleteFrom('files').where('id', '=', file.id).execute()
  await trx
    .insertInto('deleted_files')
    .values({ id: file.id, account_id: file.account_id, version: await nextFileVersion(trx), deleted_at: now })
    .execute()
  await appendEvent(trx, 'file-deleted', { id: file.id }, now)
  await appendLog(trx, { action: 'deleted', detail: why, file }, now)
}

/**
 * Call after the commit: stops running jobs, notifies listeners and removes the bytes. A chore, or the next start,
 * removes what a crash or unreachable storage leaves.
 */
export async function removeBytes(
  { blobs, changes, reserve, log }: Platform,
  accountId: string,
  fileId: string,
): Promise<void> {
  changes.notify({ kind: 'file', accountId, fileId, deleted: true })
  await reserve
    .use(() => blobs.remove(fileId))
    .catch((error: unknown) => {
      if (!(error instanceof StorageAwayError)) throw error
      log.warn({ err: error, fileId }, 'the bytes of a deleted file will be removed later')
    })
}

/**
 * Deletes a file and all its data by the table of spec 3: below 60 % with a proportional refund, from 60 to under 100
 * not at all, at 100 without refund.
 * @param leastRefundCents what the client was shown (decision 155)
 * @throws ServiceError 404 if the account has no such file, 409 if it is locked, or refunds less than `leastRefundCents`
 * @returns the refund
 */
export async function deleteFile(
  platform: Platform,
  accountId: string,
  fileId: string,
  leastRefundCents = 0,
): Promise<{ refundCents: number }> {
  const refunded = await platform.reserve.use(() => deleteRow(platform, accountId, fileId, leastRefundCents))
  await removeBytes(platform, accountId, fileId)
  return { refundCents: refunded }
}

/** @returns the cents of the refund, 0 for none */
async function deleteRow(
  { db, clock }: Platform,
  accountId: string,
  fileId: string,
  leastRefundCents: number,
): Promise<number> {
  return await writeAccount(db, accountId, async (trx) => {
    const file = await trx
      .selectFrom('files')
      .selectAll()
      .where('id', '=', fileId)
      .where('account_id', '=', accountId)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock())]))
      .executeTakeFirst()
    if (file === undefined) throw fileNotFound()
    // An order given up was refunded then and never reaches 100, so nothing would ever unlock it.
    const window = file.given_up === 1 ? 'free' : deletionWindow(file.progress_percent)
    if (window === 'locked') throw lockedFile(file.progress_percent)
    const due = window === 'free' ? 0 : refundCents(await paidCents(trx, file), file.progress_percent)
    if (due < leastRefundCents) throw smallerRefund(file, due, leastRefundCents)
    if (due > 0) await enterRefund(trx, file, due, 'deleted', clock())
    if (window !== 'free') await returnFreeMinutes(trx, file, file.progress_percent)
    await removeRow(trx, file, clock())
    return due
  })
}

function lockedFile(progressPercent: number): ServiceError {
  return new ServiceError(
    409,
    `The transcript is at ${progressPercent}%. A file cannot be deleted from 60% until it is complete; try again at 100%.`,
  )
}

function smallerRefund({ progress_percent, currency }: FileRow, dueCents: number, leastCents: number): ServiceError {
  const [due, least] = [dueCents, leastCents].map((cents) => `${centsToDecimal(cents)} ${currency}`)
  const words = `The transcript is at ${Math.floor(progress_percent)}% now: ${due} would be refunded, less than ${least}. Nothing was deleted.`
  return new ServiceError(409, words, { [refundHeader]: String(dueCents) })
}

/** Sets whether a file is deleted when it is ready; one that is ready already is deleted at once. @throws ServiceError 404 */
export async function setDeleteWhenReady(
  platform: Platform,
  { id, account_id }: FileRow,
  wanted: boolean,
): Promise<{ delete_when_ready: boolean; deleted: boolean }> {
  const flag = wanted ? 1 : 0
  const file = await changeFile(platform, id, (row) =>
    row.delete_when_ready === flag || row.progress_percent === 100 ? null : { delete_when_ready: flag },
  )
  if (file === null) throw fileNotFound()
  const isReady = wanted && file.progress_percent === 100
  if (isReady) await deleteFile(platform, account_id, id)
  return { delete_when_ready: file.delete_when_ready === 1, deleted: isReady }
}
