import {
  changedLabels,
  type LabelChange,
  type LabelledFile,
  type LabelledFiles,
  type Labels,
  maxTags,
  noLabels,
  undoneLabels,
} from '../../contract/account-labels.ts'
import { appendLog } from '../db/account-log.ts'
import { appendEvent, nextFileVersion } from '../db/outbox.ts'
import type { FileRow } from '../db/schema.ts'
import { type AccountTrx, writeAccount } from '../db/write-account.ts'
import type { Platform } from '../platform.ts'
import { ServiceError } from '../service-error.ts'

/** The labels of a file. */
export function labelsOf({ labels_json }: Pick<FileRow, 'labels_json'>): Labels {
  return labels_json === null ? noLabels : JSON.parse(labels_json)
}

type Labelled = Pick<FileRow, 'id' | 'name' | 'labels_json'>

/** SQLite and PostgreSQL bind so many ids at once without complaint. */
const readAtOnce = 500

async function rowsOf(trx: AccountTrx, ids: readonly string[]): Promise<Labelled[]> {
  const rows: Labelled[] = []
  for (let from = 0; from < ids.length; from += readAtOnce) {
    const some = ids.slice(from, from + readAtOnce)
    const files = trx.selectFrom('files').select(['id', 'name', 'labels_json']).where('account_id', '=', trx.accountId)
    rows.push(...(await files.where('id', 'in', some).execute()))
  }
  return rows
}

function whatOf(was: Labels, labels: Labels): string {
  if (labels.held !== was.held) return labels.held ? 'held' : 'hold ended'
  return labels.archived && !was.archived ? 'archived' : 'changed'
}

/** A file to which another rule for keeping may apply stays for at least the notice. */
function keptAnew(was: Labels, labels: Labels, now: number): { keeping_since?: number } {
  const isSame = String(was.tags) === String(labels.tags) && !(was.held && !labels.held)
  return isSame ? {} : { keeping_since: now }
}

async function write(
  platform: Platform,
  accountId: string,
  ids: readonly string[],
  after: (id: string, before: Labels) => Labels,
) {
  const { db, clock, changes } = platform
  const before = await writeAccount(db, accountId, async (trx) => {
    const changed: LabelledFile[] = []
    for (const file of await rowsOf(trx, [...new Set(ids)])) {
      const was = labelsOf(file)
      const labels = after(file.id, was)
      if (labels.tags.length > maxTags) throw new ServiceError(400, `A file can have at most ${maxTags} tags.`)
      const labels_json = JSON.stringify(labels)
      if (labels_json === JSON.stringify(was)) continue
      await trx
        .updateTable('files')
        .set({ labels_json, version: await nextFileVersion(trx), ...keptAnew(was, labels, clock()) })
        .where('id', '=', file.id)
        .execute()
      await appendLog(trx, { action: 'labels', detail: whatOf(was, labels), file }, clock())
      changed.push({ id: file.id, labels: was })
    }
    // One event for all: dashboards read what changed since.
    if (changed.length > 0) await appendEvent(trx, 'labels', {}, clock())
    return changed
  })
  for (const { id } of before) changes.notify({ kind: 'file', accountId, fileId: id })
  return before
}

/**
 * Changes the labels of files, all in one transaction. Files that are gone, or of another account, are left out.
 * @returns the files that changed, as they were
 * @throws ServiceError 400 where a file would have too many tags
 */
export async function changeLabels(
  platform: Platform,
  accountId: string,
  { ids, ...change }: LabelChange,
): Promise<LabelledFile[]> {
  return await write(platform, accountId, ids, (_, before) => changedLabels(before, change))
}

/**
 * Gives each file the labels that it had, to undo a change.
 * @returns the files that changed, as they were
 * @throws ServiceError 400 where a file would have too many tags
 */
export async function restoreLabels(
  platform: Platform,
  accountId: string,
  { files, undone }: LabelledFiles,
): Promise<LabelledFile[]> {
  const wanted = new Map(files.map(({ id, labels }) => [id, labels]))
  return await write(platform, accountId, [...wanted.keys()], (id, now) => {
    const before = wanted.get(id) ?? now
    if (undone !== undefined) return undoneLabels(now, before, undone)
    const { name, note, tags, archived, held = false } = before
    return changedLabels({ name: '', note: '', tags: [], archived }, { name, note, add_tags: tags, held })
  })
}
