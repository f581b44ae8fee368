import type { RefundReason } from '../../../contract/account/usage.ts'
import { type OrderOptions, readStoredOptions } from '../../../contract/interface/option-values.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { enqueueJob } from '../../platform/db/outbox.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { enterRefund, paidCents } from '../books/enter-in-ledger.ts'
import { returnFreeMinutes } from '../books/return-free-minutes.ts'
import { changeFile, patchFile, writeFile } from './change-file.ts'
import { isOperatorsReason } from './delays.ts'
import { deleteFile } from './delete.ts'

/*
 * The only ways to change the progress of an order. Each is one transaction that updates the row with its next version,
 * emits the event and queues the webhook; listeners are notified after the commit, so that they can read the change.
 */

/** An order's options as applied. */
export function parseOptions(file: Pick<FileRow, 'options_json'>): OrderOptions {
  return readStoredOptions(file.options_json)
}

/** Past its delivery date, or past the one first promised: the reason then stays until it is ready. */
export function isLate({ delivery_at, promised_at }: FileRow, now: number): boolean {
  return promised_at !== null || delivery_at < now
}

/** No order is complete before its words are stored. */
const highestWithoutWords = 99

/**
 * The patch for a higher progress: it clears the `delay_reason` of an order that is not late. Null: it is no higher.
 */
export function raised(
  file: FileRow,
  percent: number,
  now: number,
): Pick<FileRow, 'progress_percent' | 'delay_reason'> | null {
  if (percent <= file.progress_percent) return null
  return { progress_percent: percent, delay_reason: isLate(file, now) ? file.delay_reason : null }
}

/**
 * Raises the progress; ignores a lower or equal value, since progress never falls. Whole percent up to 99: only
 * `finishFile` completes an order.
 * @returns the row afterwards, or null if the file is deleted
 */
export function setProgress(platform: Platform, fileId: string, progressPercent: number): Promise<FileRow | null> {
  const percent = Math.min(Math.floor(progressPercent), highestWithoutWords)
  return changeFile(platform, fileId, (file) => raised(file, percent, platform.clock()))
}

/**
 * Completes an order: 100 %. Deletes it if its owner asked for that (`delete_when_ready`).
 * @param also writes in the same transaction
 * @throws Error if its words are not stored: a bug in the caller
 * @returns the row afterwards, or null if the file is deleted
 */
export async function finishFile(
  platform: Platform,
  fileId: string,
  also?: (trx: AccountTrx) => Promise<void>,
): Promise<FileRow | null> {
  if ((await platform.blobs.size(fileId, 'words.json')) === null) {
    const gone = await platform.db.selectFrom('files').select('id').where('id', '=', fileId).executeTakeFirst()
    if (gone === undefined) return null
    throw new Error('A file without stored words cannot be complete.')
  }
  const complete = { progress_percent: 100, ready_at: platform.clock(), delay_reason: null }
  const decide = (file: FileRow) => (file.progress_percent === 100 ? null : complete)
  const finished = await changeFile(platform, fileId, decide, async (trx) => {
    // All words are in `words.json` now.
    for (const table of ['pieces', 'recognitions'] as const) {
      await trx.deleteFrom(table).where('file_id', '=', fileId).execute()
    }
    await also?.(trx)
  })
  if (finished?.delete_when_ready === 1) await deleteFile(platform, finished.account_id, fileId)
  return finished
}

/**
 * Sets the reason for a delay, and logs it; null: there is none any more. A reason given by an operator stays.
 * @returns the row, or null if the file is deleted
 */
export async function setDelay(platform: Platform, fileId: string, reason: string | null): Promise<FileRow | null> {
  let stays = true
  const after = await changeFile(platform, fileId, (file) => {
    stays = file.delay_reason === reason || file.progress_percent === 100 || isOperatorsReason(file.delay_reason)
    return stays ? null : { delay_reason: reason }
  })
  if (!stays) platform.log.info({ fileId, reason }, reason === null ? 'an order waits no more' : 'an order waits')
  return after
}

/**
 * Gives up on a recording that cannot be transcribed, in the caller's transaction: sets the `delay_reason`, refunds
 * everything paid, and ends its jobs and recognition. The file stays until its owner deletes it. Call `changes.notify`
 * after the commit.
 * @param why for the ledger
 */
export async function giveUpIn(
  trx: AccountTrx,
  file: FileRow,
  reason: string,
  now: number,
  why: RefundReason = 'given-up',
): Promise<FileRow> {
  await trx.deleteFrom('jobs').where('file_id', '=', file.id).where('state', '!=', 'running').execute()
  await trx.deleteFrom('recognitions').where('file_id', '=', file.id).execute()
  if (file.given_up === 1) return file
  const paid = await paidCents(trx, file)
  if (paid > 0) await enterRefund(trx, file, paid, why, now)
  await returnFreeMinutes(trx, file, 0)
  const refund_cents = file.refund_cents + paid
  const words = paid > 0 ? `${reason} ${file.currency} ${centsToDecimal(paid)} is refunded.` : reason
  return await patchFile(trx, file, { delay_reason: words, refund_cents, given_up: 1 }, now)
}

/** The same in its own transaction. @returns the row, or null if the file is deleted */
export async function giveUp(platform: Platform, fileId: string, reason: string): Promise<FileRow | null> {
  const { db, changes, clock } = platform
  const after = await writeFile(db, fileId, (trx, file) => giveUpIn(trx, file, reason, clock()))
  if (after === null) return null
  changes.notify({ kind: 'file', accountId: after.account_id, fileId })
  changes.notify({ kind: 'delivery', accountId: after.account_id })
  return after
}

/** True for an automated order, false for a manual one; undefined if the file is deleted. */
async function isAutomated({ db }: Platform, fileId: string): Promise<boolean | undefined> {
  const file = await db.selectFrom('files').select('options_json').where('id', '=', fileId).executeTakeFirst()
  return file && parseOptions(file).transcript_type === 'automated'
}

/**
 * Reports recognition progress, 0 to 100, until `finishRecognition`. It is the progress of an automated order; that of
 * a manual one is how much has been typed.
 * @returns false if the file is deleted and the work should end
 */
export async function showRecognition(platform: Platform, fileId: string, heardPercent: number): Promise<boolean> {
  const automated = await isAutomated(platform, fileId)
  if (automated === true) await setProgress(platform, fileId, heardPercent)
  return automated !== undefined
}

/** Call once the words are stored: completes an automated order, or has a manual one cut into parts to be typed. */
export async function finishRecognition(
  platform: Platform,
  fileId: string,
  also?: (trx: AccountTrx) => Promise<void>,
): Promise<void> {
  const automated = await isAutomated(platform, fileId)
  if (automated === true) await finishFile(platform, fileId, also)
  if (automated === false) await waitForTypists(platform, fileId)
}

/** Has a manual order cut into parts, with the words there are. */
export async function waitForTypists({ db, clock, changes }: Platform, fileId: string): Promise<void> {
  await writeFile(db, fileId, (trx) => enqueueJob(trx, fileId, 'parts', clock()))
  changes.notify({ kind: 'job' })
}
