import { writeFile } from '../orders/file/change-file.ts'
import type { Platform } from '../platform/platform.ts'
import { hasManager, unmanagedMs } from './step-record.ts'
import { checkedReached, releaseChecked } from './steps.ts'

/**
 * Releases checked orders that nobody can decide on: a day after their last odd step, while there is no manager. The
 * steps stay unpaid until one decides.
 */
export async function releaseUnmanaged(platform: Platform): Promise<void> {
  const { db, clock, changes, log } = platform
  if (await hasManager(db)) return
  const now = clock()
  const due = await db
    .selectFrom('work_parts')
    .innerJoin('work_claims', 'work_claims.file_id', 'work_parts.file_id')
    .select(['work_parts.file_id', 'work_parts.account_id'])
    .distinct()
    .where('position', '=', 0)
    .where('work_parts.step', 'is', null)
    .where('reached', '=', checkedReached)
    .where('verdict', '=', 'waiting')
    .where('work_claims.ended_at', '<=', now - unmanagedMs)
    .execute()
  for (const { file_id, account_id } of due) {
    await writeFile(db, file_id, (trx, file) => releaseChecked(trx, file, now))
    log.warn({ fileId: file_id }, 'there is no manager: an order is released with odd steps that nobody decided on')
    changes.notify({ kind: 'file', accountId: account_id, fileId: file_id })
    changes.notify({ kind: 'job' })
  }
}
