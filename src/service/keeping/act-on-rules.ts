import { noticeMs } from '../../contract/account-keeping.ts'
import { appendLog } from '../db/account-log.ts'
import { appendEvent, enqueueJob, nextFileVersion } from '../db/outbox.ts'
import type { FileRow } from '../db/schema.ts'
import type { AccountTrx } from '../db/write-account.ts'
import { writeFile } from '../orders/change-file.ts'
import { removeBytes, removeRow } from '../orders/delete.ts'
import { leaveDuplicates } from '../orders/duplicates.ts'
import type { Platform } from '../platform.ts'
import type { JobKind } from '../queue/worker.ts'
import { finishedFiles, type Leaving, leavingsOf, type ReadyBy, type Rule, rulesOf, ruleText } from './rules.ts'

const dayMs = 24 * 60 * 60_000

/** What may be due: a file is looked at only where the shortest of the rules is over. */
function readyBy(rules: readonly Rule[], now: number): ReadyBy {
  const over = (days: readonly (number | null)[]) =>
    Math.max(0, now - Math.min(...days.filter((each) => each !== null)) * dayMs)
  return {
    recording: over(rules.map(({ recording_days }) => recording_days)),
    all: over(rules.map(({ all_days }) => all_days)),
    since: now - noticeMs,
  }
}

/** Its bytes are removed by a job, which a crash or a storage that is away only puts off. */
async function deleteRecording(trx: AccountTrx, file: FileRow, by: string, now: number): Promise<void> {
  await leaveDuplicates(trx, file)
  await trx
    .updateTable('files')
    .set({ recording_deleted_at: now, recording_deleted_by: by, duplicates_json: null })
    .set({ version: await nextFileVersion(trx) })
    .where('id', '=', file.id)
    .execute()
  await enqueueJob(trx, file.id, 'remove-recording', now)
  await appendEvent(trx, 'labels', {}, now)
  await appendLog(trx, { action: 'recording', detail: `deleted by the rule for ${by}`, file }, now)
}

/** Deletes what is due of a file, as the rules and the file are now. @returns what went, or null */
async function letGo({ db, clock }: Platform, fileId: string): Promise<Leaving | null> {
  return await writeFile(db, fileId, async (trx, file) => {
    const now = clock()
    const [next] = leavingsOf(await rulesOf(trx, trx.accountId), file)
    if (next === undefined || next.at > now) return null
    const by = ruleText(next.rule)
    if (next.what === 'all') await removeRow(trx, file, now, `by the rule for ${by}`)
    else await deleteRecording(trx, file, by, now)
    return next
  })
}

async function actFor(platform: Platform, accountId: string, signal: AbortSignal): Promise<void> {
  const { db, clock, changes } = platform
  const rules = await rulesOf(db, accountId)
  for await (const file of finishedFiles(db, accountId, readyBy(rules, clock()))) {
    if (signal.aborted) return
    const [next] = leavingsOf(rules, file)
    if (next === undefined || next.at > clock()) continue
    const gone = await letGo(platform, file.id)
    if (gone?.what === 'all') await removeBytes(platform, accountId, file.id)
    if (gone?.what === 'recording') {
      changes.notify({ kind: 'file', accountId, fileId: file.id })
      changes.notify({ kind: 'job' })
    }
  }
}

/** Deletes what rules say is due. */
export async function actOnRules(platform: Platform, signal: AbortSignal): Promise<void> {
  const accounts = await platform.db.selectFrom('keeping_rules').select('account_id').distinct().execute()
  for (const { account_id } of accounts) await actFor(platform, account_id, signal)
}

/** Job `remove-recording`: removes the sound of a file whose text stays. */
export function removeRecordingJob({ blobs, reserve }: Platform): JobKind {
  return {
    parallel: 2,
    async run({ file_id }) {
      for (const part of ['media', 'peaks'] as const) {
        if (file_id !== null) await reserve.use(() => blobs.remove(file_id, part))
      }
      return { end: 'done' }
    },
    async gaveUp() {},
  }
}
