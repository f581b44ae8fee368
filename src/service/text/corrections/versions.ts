import type { CorrectionVersion } from '../../../contract/account/corrections.ts'
import { writeFile } from '../../orders/file/change-file.ts'
import type { Db } from '../../platform/db/open.ts'
import { iso } from '../../platform/iso-time.ts'
import { ServiceError } from '../../platform/service-error.ts'

/** Changes of one key with shorter pauses than this form one version. */
const pauseMs = 10 * 60_000

/**
 * The states of a file's corrections worth restoring, newest first: the last before each pause, before another key took
 * over, and the named ones.
 */
export async function listVersions(db: Db, fileId: string): Promise<CorrectionVersion[]> {
  const changes = await db
    .selectFrom('correction_changes')
    .select(['revision', 'key_id', 'key_name', 'label', 'corrections', 'name', 'created_at'])
    .where('file_id', '=', fileId)
    .orderBy('revision')
    .execute()
  const versions = changes.filter((change, index) => {
    const next = changes[index + 1]
    const isLast = next === undefined || next.key_id !== change.key_id
    return isLast || change.name !== null || next.created_at - change.created_at >= pauseMs
  })
  return versions
    .map(({ revision, key_name, label, corrections, name, created_at }) => {
      return { revision, saved: iso(created_at), key: key_name, label, corrections, name }
    })
    .reverse()
}

/** Names a state, which keeps it in the list. @throws ServiceError 404 */
export async function nameVersion(db: Db, fileId: string, revision: number, name: string): Promise<void> {
  const named = await writeFile(db, fileId, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('correction_changes')
      .set({ name })
      .where('file_id', '=', fileId)
      .where('revision', '=', revision)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  })
  if (named !== true) throw noVersion()
}

export function noVersion(): ServiceError {
  return new ServiceError(404, 'The corrections of this file have no such version.')
}
