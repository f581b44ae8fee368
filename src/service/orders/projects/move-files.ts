import type { ProjectOfFile } from '../../../contract/account/projects.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import { changeFiles, chunks, filesOfAccount } from '../../platform/db/change-files.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'

/**
 * Moves files into a project, or out of any. Their costs count in its budget from now on, and retention rules delete
 * none of their data within the notice period. A thousand take a few statements.
 */
export async function moveInto(
  trx: AccountTrx,
  project_id: string | null,
  files: readonly { id: string }[],
  now: number,
): Promise<void> {
  const all = files.map(({ id }) => id)
  await changeFiles(trx, all, { project_id, keeping_since: now })
  for (const ids of chunks(all)) {
    await trx.updateTable('ledger').set({ project_id }).where('file_id', 'in', ids).execute()
  }
}

/** @throws ServiceError 404 if one of them no longer exists */
async function readProjectNames(trx: AccountTrx, ids: ReadonlySet<string>): Promise<Map<string, string>> {
  const all = await trx.selectFrom('projects').select(['id', 'name']).where('account_id', '=', trx.accountId).execute()
  const names = new Map(all.map(({ id, name }) => [id, name]))
  for (const id of ids) {
    if (!names.has(id))
      throw new ServiceError(404, 'There is no such project. It may have been deleted. Nothing was moved.')
  }
  return names
}

/** Files of the account whose project differs from the wanted one. */
async function filesToMove(trx: AccountTrx, wanted: ReadonlyMap<string, string | null>) {
  const rows = await filesOfAccount(trx, [...wanted.keys()])
  return rows.filter((file) => file.project_id !== wanted.get(file.id))
}

/**
 * Moves files into projects in one transaction. Skips files that are gone or of another account.
 * @returns the files that were moved, as they were
 * @throws ServiceError 404 if one of the projects is gone
 */
export async function moveFiles(
  { db, clock, changes }: Platform,
  accountId: string,
  files: readonly ProjectOfFile[],
): Promise<ProjectOfFile[]> {
  const wanted = new Map(files.map(({ id, project }) => [id, project]))
  const before = await writeAccount(db, accountId, async (trx) => {
    const names = await readProjectNames(trx, new Set([...wanted.values()].filter((id) => id !== null)))
    const moved = await filesToMove(trx, wanted)
    for (const [project, ofProject] of Map.groupBy(moved, ({ id }) => wanted.get(id) ?? null)) {
      await moveInto(trx, project, ofProject, clock())
      const to = project === null ? 'taken out of theirs' : `moved to “${names.get(project)}”`
      const [file] = ofProject
      const one = ofProject.length === 1 && file ? { file, detail: to } : { detail: `${ofProject.length} files ${to}` }
      await appendLog(trx, { action: 'project', ...one }, clock())
    }
    if (moved.length > 0) await appendEvent(trx, 'projects', {}, clock())
    return moved.map(({ id, project_id: project }) => ({ id, project }))
  })
  for (const { id } of before) changes.notify({ kind: 'file', accountId, fileId: id })
  return before
}
