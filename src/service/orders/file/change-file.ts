import type { Updateable } from 'kysely'
import { fileById } from '../../platform/db/change-files.ts'
import type { Db } from '../../platform/db/open.ts'
import { appendEvent, enqueueDelivery, enqueueJob, nextFileVersion } from '../../platform/db/outbox.ts'
import type { Database, FileRow } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'

/** Columns that may change after ordering. */
export type FilePatch = Partial<
  Pick<
    Updateable<Database['files']>,
    | 'progress_percent'
    | 'delay_reason'
    | 'delivery_at'
    | 'promised_at'
    | 'ready_at'
    | 'total_cents'
    | 'refund_cents'
    | 'duplicates_json'
    | 'delete_when_ready'
    | 'given_up'
    | 'readable_ms'
    | 'heard_json'
    | 'name'
    | 'corrections'
    | 'review'
    | 'approved_revision'
    | 'caption_rules_json'
    | 'listening_copy'
  >
>

/**
 * Updates a file's row in the caller's transaction, along with the next version, the event for dashboards and, if
 * progress or delivery date changed or it was given up, the webhook delivery (spec 6); at 100, also the job that renders
 * it. The first promised date is kept. Call `changes.notify` after the commit.
 */
export async function patchFile(trx: AccountTrx, file: FileRow, patch: FilePatch, now: number): Promise<FileRow> {
  const promised =
    (patch.delivery_at ?? file.delivery_at) === file.delivery_at
      ? {}
      : { promised_at: file.promised_at ?? file.delivery_at }
  // The approval was of another text.
  const isNewText = patch.ready_at !== undefined && patch.ready_at !== file.ready_at
  const anew: FilePatch = isNewText ? { review: 'draft', approved_revision: null } : {}
  const changed = await trx
    .updateTable('files')
    .set({ ...promised, ...anew, ...patch, version: await nextFileVersion(trx) })
    .where('id', '=', file.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const { id, progress_percent, delay_reason } = changed
  const delivery = iso(changed.delivery_at)
  const ended = changed.given_up === 1 && ({ given_up: true } as const)
  await appendEvent(trx, 'file-progress', { id, progress_percent, delay_reason, delivery, ...ended }, now)
  if (isReported(file, changed)) await enqueueDelivery(trx, changed, now)
  if (progress_percent === 100 && file.progress_percent !== 100) await enqueueJob(trx, id, 'render', now)
  return changed
}

/** Whether the webhook reports a change: of progress or delivery date, or that the order is given up. */
function isReported(before: FileRow, after: FileRow): boolean {
  return (
    after.progress_percent !== before.progress_percent ||
    after.delivery_at !== before.delivery_at ||
    after.given_up !== before.given_up
  )
}

/**
 * Runs `work` on a file's row in a transaction of its account.
 * @returns the result of `work`, or null if the file is deleted
 */
export async function writeFile<Result>(
  db: Db,
  fileId: string,
  work: (trx: AccountTrx, file: FileRow) => Promise<Result>,
): Promise<Result | null> {
  const ofFile = await db.selectFrom('files').select('account_id').where('id', '=', fileId).executeTakeFirst()
  if (ofFile === undefined) return null
  return await writeAccount(db, ofFile.account_id, async (trx) => {
    const file = await fileById(trx, fileId)
    return file === undefined ? null : await work(trx, file)
  })
}

/**
 * Reads a file, lets `decide` choose the changes, and updates it, in one transaction; listeners are notified after the
 * commit.
 * @param decide gets the current row; null: change nothing
 * @param also writes in the same transaction, if something changed, with the row afterwards
 * @returns the row afterwards, or null if the file is deleted
 */
export async function changeFile(
  { db, changes, clock }: Pick<Platform, 'db' | 'changes' | 'clock'>,
  fileId: string,
  decide: (file: FileRow) => FilePatch | null,
  also?: (trx: AccountTrx, after: FileRow) => Promise<void>,
): Promise<FileRow | null> {
  const outcome = await writeFile(db, fileId, async (trx, file) => {
    const patch = decide(file)
    if (patch === null) return { file, moved: false, changed: false }
    const after = await patchFile(trx, file, patch, clock())
    await also?.(trx, after)
    return { file: after, moved: isReported(file, after), changed: true }
  })
  if (outcome === null) return null
  const accountId = outcome.file.account_id
  if (outcome.changed) changes.notify({ kind: 'file', accountId, fileId })
  if (outcome.moved) changes.notify({ kind: 'delivery', accountId })
  return outcome.file
}
