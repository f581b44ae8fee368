import {
  changedLabels,
  type LabelChange,
  type LabelledFile,
  type LabelledFiles,
  type Labels,
  maxTags,
  noLabels,
  undoneLabels,
} from '../../../contract/account/labels.ts'
import { reaches } from '../../accounts/auth/key-limits.ts'
import { appendLogOfFiles } from '../../platform/db/audit-log.ts'
import { changeFiles, filesOfAccount } from '../../platform/db/change-files.ts'
import type { KnownKey } from '../../platform/db/hot-reads.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'

/** The labels of a file. */
export function parseLabels({ labels_json }: Pick<FileRow, 'labels_json'>): Labels {
  return labels_json === null ? noLabels : JSON.parse(labels_json)
}

type Labelled = Pick<FileRow, 'id' | 'name' | 'labels_json'>

function describeChange(was: Labels, labels: Labels): string {
  if (labels.held !== was.held) return labels.held ? 'held' : 'hold ended'
  return labels.archived && !was.archived ? 'archived' : 'changed'
}

/** A file that may now be under another retention rule stays for at least the notice period. */
function keptAnew(was: Labels, labels: Labels, now: number): { keeping_since?: number } {
  const isSame = String(was.tags) === String(labels.tags) && !(was.held && !labels.held)
  return isSame ? {} : { keeping_since: now }
}

/** A file whose labels change: before and after. */
type Changed = {
  file: Labelled
  was: Labels
  labels_json: string
  values: { keeping_since?: number }
  detail: string
}

/** @throws ServiceError 400 if it would have too many tags */
function buildChange(file: Labelled, after: (id: string, before: Labels) => Labels, now: number): Changed | null {
  const was = parseLabels(file)
  const labels = after(file.id, was)
  if (labels.tags.length > maxTags) throw new ServiceError(400, `A file can have at most ${maxTags} tags.`)
  const labels_json = JSON.stringify(labels)
  if (labels_json === JSON.stringify(was)) return null
  return { file, was, labels_json, values: keptAnew(was, labels, now), detail: describeChange(was, labels) }
}

/** The sender of a change: `limits` of its key may name the only projects that it reaches. */
type LabelWriter = Pick<KnownKey, 'limits'> & { account: { id: string } }

async function write(
  platform: Platform,
  { account: { id: accountId }, limits }: LabelWriter,
  ids: readonly string[],
  after: (id: string, before: Labels) => Labels,
): Promise<LabelledFile[]> {
  const { db, clock, changes } = platform
  const before = await writeAccount(db, accountId, async (trx) => {
    const now = clock()
    const found = await filesOfAccount(trx, [...new Set(ids)])
    const rows = found.filter(({ project_id }) => reaches({ limits }, project_id))
    const changed = rows.map((file) => buildChange(file, after, now)).filter((change) => change !== null)
    // Written together, whatever their labels: a file takes no statement of its own.
    const labels = new Map(changed.map(({ file, labels_json }) => [file.id, labels_json]))
    for (const alike of Map.groupBy(changed, ({ values, detail }) => JSON.stringify([values, detail])).values()) {
      const [{ values, detail }] = alike as [Changed]
      const files = alike.map(({ file }) => file)
      await changeFiles(
        trx,
        files.map(({ id }) => id),
        values,
        labels,
      )
      await appendLogOfFiles(trx, { action: 'labels', detail }, files, now)
    }
    // One event for all: dashboards read what changed since.
    if (changed.length > 0) await appendEvent(trx, 'labels', {}, now)
    return changed.map(({ file, was }) => ({ id: file.id, labels: was }))
  })
  for (const { id } of before) changes.notify({ kind: 'file', accountId, fileId: id })
  return before
}

/**
 * Changes the labels of files in one transaction. Skips files that are gone, of another account or beyond the writer's key.
 * @returns the files that changed, as they were
 * @throws ServiceError 400 if a file would have too many tags
 */
export async function changeLabels(
  platform: Platform,
  writer: LabelWriter,
  { ids, ...change }: LabelChange,
): Promise<LabelledFile[]> {
  return await write(platform, writer, ids, (_, before) => changedLabels(before, change))
}

/**
 * Restores each file's previous labels, to undo a change.
 * @returns the files that changed, as they were
 * @throws ServiceError 400 if a file would have too many tags
 */
export async function restoreLabels(
  platform: Platform,
  writer: LabelWriter,
  { files, undone }: LabelledFiles,
): Promise<LabelledFile[]> {
  const wanted = new Map(files.map(({ id, labels }) => [id, labels]))
  return await write(platform, writer, [...wanted.keys()], (id, now) => {
    const before = wanted.get(id) ?? now
    if (undone !== undefined) return undoneLabels(now, before, undone)
    const { name, note, tags, archived, held = false, begins_at_seconds } = before
    return changedLabels(
      { name: '', note: '', tags: [], archived },
      { name, note, add_tags: tags, held, begins_at_seconds },
    )
  })
}
