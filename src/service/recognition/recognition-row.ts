import { giveUp } from '../orders/file/progress.ts'
import type { Db } from '../platform/db/open.ts'
import { enqueueJob } from '../platform/db/outbox.ts'
import type { FileRow, Job } from '../platform/db/schema.ts'
import type { AccountTrx } from '../platform/db/write-account.ts'
import type { Platform } from '../platform/platform.ts'
import type { Section } from './pieces/cut-sections.ts'

const speech = 'speech'

/**
 * Spacing of sections in the account's job queue: a short recording overtakes later sections of a long one, without
 * starving it.
 */
const sectionsApartMs = 30_000

/** Enqueues a section for recognition, once its audio is stored. */
export async function enqueueSection(
  trx: AccountTrx,
  file: FileRow,
  { section, startMs, endMs }: Section,
  now: number,
): Promise<void> {
  await trx
    .updateTable('recognitions')
    .set({ sections: section + 1 })
    .where('file_id', '=', file.id)
    .execute()
  const created_at = file.created_at + section * sectionsApartMs
  const payload_json = JSON.stringify({ section, startMs, endMs })
  await enqueueJob(trx, file.id, speech, now, { step: 'hear', payload_json, created_at })
}

/** Enqueues joining the words after the last other job: exactly once, as each account has a single writer. */
export async function joinIfLast(trx: AccountTrx, file: FileRow, now: number): Promise<void> {
  const left = trx.selectFrom('jobs').select('id').where('file_id', '=', file.id).where('kind', '=', speech)
  const isLast = (await left.executeTakeFirst()) === undefined
  // No row if the order was given up or deleted in the meantime.
  const row = trx.selectFrom('recognitions').select('file_id').where('file_id', '=', file.id)
  if (!isLast || (await row.executeTakeFirst()) === undefined) return
  await enqueueJob(trx, file.id, speech, now, { step: 'join', created_at: file.created_at })
}

/** The row of a recording in recognition; undefined if nothing is decoded yet. */
export function selectRecognition(db: Db, fileId: string) {
  return db.selectFrom('recognitions').selectAll().where('file_id', '=', fileId).executeTakeFirst()
}

/** Restarts recognition of a recording from scratch, as its audio is lost or its engine gone. */
export async function startOver(trx: AccountTrx, file: FileRow, now: number): Promise<void> {
  await trx.deleteFrom('jobs').where('file_id', '=', file.id).where('kind', '=', speech).execute()
  await trx.deleteFrom('pieces').where('file_id', '=', file.id).execute()
  await trx.deleteFrom('recognitions').where('file_id', '=', file.id).execute()
  await enqueueJob(trx, file.id, speech, now, { created_at: file.created_at })
}

/** Gives up on a recording, refunds it, and cancels remaining work on it. */
export async function giveUpRecognition(platform: Platform, fileId: string, reason: string): Promise<void> {
  const { blobs, changes } = platform
  await giveUp(platform, fileId, reason)
  changes.notify({ kind: 'work-ended', fileId })
  await blobs.remove(fileId, 'sound')
}

/** Parses the section from a job's payload. */
export function parseSection({ payload_json }: Job): Section {
  return JSON.parse(payload_json)
}
