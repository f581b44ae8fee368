import { noticeMs } from '../../../contract/account/retention.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import { appendEvent, enqueueJob, nextFileVersion } from '../../platform/db/outbox.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import type { JobKind } from '../../platform/queue/worker.ts'
import { removeBytes, removeRow } from '../file/delete.ts'
import { leaveDuplicates } from '../file/duplicates.ts'
import {
  finishedFiles,
  type KeptFile,
  type Leaving,
  listDeletions,
  listRules,
  type ReadyBy,
  type Rule,
  ruleText,
} from './rules.ts'

/** Prefilter: a file is considered only after the shortest of the rules. */
function readyBy(rules: readonly Rule[], now: number): ReadyBy {
  const over = (days: readonly (number | null)[]) =>
    Math.max(0, now - Math.min(...days.filter((each) => each !== null)) * dayMs)
  return {
    recording: over(rules.map(({ recording_days }) => recording_days)),
    all: over(rules.map(({ all_days }) => all_days)),
    since: now - noticeMs,
  }
}

/** The due deletion of a file; that of the whole file takes precedence over its recording's. */
function findDueDeletion(rules: readonly Rule[], file: KeptFile, now: number): Leaving | undefined {
  return listDeletions(rules, file).findLast(({ at }) => at <= now)
}

/** A job removes its bytes; a crash or unreachable storage only delays it. */
async function deleteRecording(trx: AccountTrx, file: FileRow, by: string, now: number): Promise<void> {
  await leaveDuplicates(trx, file)
  await trx
    .updateTable('files')
    .set({ recording_deleted_at: now, recording_deleted_by: by, duplicates_json: null })
    .set({ version: await nextFileVersion(trx) })
    .where('id', '=', file.id)
    .execute()
  // Videos with its captions are copies of it.
  await trx.deleteFrom('captioned_videos').where('file_id', '=', file.id).execute()
  await enqueueJob(trx, file.id, 'remove-recording', now)
  await appendEvent(trx, 'labels', {}, now)
  await appendLog(trx, { action: 'recording', detail: `deleted by the rule for ${by}`, file }, now)
}

/** One commit per file would be slowest; larger batches would block others. */
const filesAtOnce = 50

/** Deletes what is due by the current rules. @returns what was deleted */
async function deleteDue({ db, clock }: Platform, accountId: string, ids: readonly string[]) {
  return await writeAccount(db, accountId, async (trx) => {
    const gone: { id: string; what: Leaving['what'] }[] = []
    const rules = await listRules(trx, accountId)
    const now = clock()
    for (const file of await trx.selectFrom('files').selectAll().where('id', 'in', ids).orderBy('id').execute()) {
      const due = findDueDeletion(rules, file, now)
      if (due === undefined) continue
      const by = ruleText(due.rule)
      if (due.what === 'all') await removeRow(trx, file, now, `by the rule for ${by}`)
      else await deleteRecording(trx, file, by, now)
      gone.push({ id: file.id, what: due.what })
    }
    return gone
  })
}

async function actFor(platform: Platform, accountId: string, signal: AbortSignal): Promise<void> {
  const { db, clock, changes } = platform
  const rules = await listRules(db, accountId)
  const due: string[] = []
  for await (const file of finishedFiles(db, accountId, readyBy(rules, clock()))) {
    if (findDueDeletion(rules, file, clock()) !== undefined) due.push(file.id)
  }
  for (let from = 0; from < due.length && !signal.aborted; from += filesAtOnce) {
    for (const { id, what } of await deleteDue(platform, accountId, due.slice(from, from + filesAtOnce))) {
      if (what === 'all') await removeBytes(platform, accountId, id)
      else changes.notify({ kind: 'file', accountId, fileId: id })
    }
    changes.notify({ kind: 'job' })
  }
}

/** Deletes everything due by retention rules. */
export async function actOnRules(platform: Platform, signal: AbortSignal): Promise<void> {
  const accounts = await platform.db.selectFrom('keeping_rules').select('account_id').distinct().execute()
  for (const { account_id } of accounts) await actFor(platform, account_id, signal)
}

/** Job `remove-recording`: removes the audio of a file whose text stays. */
export function removeRecordingJob({ blobs, reserve }: Platform): JobKind {
  return {
    parallel: 2,
    async run({ file_id }) {
      for (const part of ['media', 'listen', 'peaks', 'shots', 'video', 'slices'] as const) {
        if (file_id !== null) await reserve.use(() => blobs.remove(file_id, part))
      }
      return { end: 'done' }
    },
    async gaveUp() {},
  }
}
