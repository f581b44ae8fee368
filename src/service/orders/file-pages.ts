import type { FileChanges, FileEntry, FilePage } from '../../contract/account/file-pages.ts'
import type { Db } from '../platform/db/open.ts'
import { type Cursor, cutPage, isAfter } from '../platform/db/pages.ts'
import type { FileRow } from '../platform/db/schema.ts'
import { iso } from '../platform/iso-time.ts'
import { hideDuplicates } from './file/duplicates.ts'
import { toFileMetadata } from './file/file-metadata.ts'
import { parseLabels } from './labels/change-labels.ts'
import { listDeletions, listRules, type Rule } from './retention/rules.ts'

function toFileEntry(row: FileRow, rules: readonly Rule[]): FileEntry {
  const [next] = listDeletions(rules, row)
  return {
    id: row.id,
    version: row.version,
    media_kind: row.media_kind,
    ready: iso(row.ready_at),
    expires: iso(row.expires_at),
    delete_when_ready: row.delete_when_ready === 1,
    corrections: row.corrections,
    review: row.review,
    ...(row.caption_rules_json !== null && { caption_rules: JSON.parse(row.caption_rules_json) }),
    ...(row.heard_json !== null && { heard: JSON.parse(row.heard_json) }),
    ...(row.readable_ms !== null && { readable_seconds: row.readable_ms / 1_000 }),
    ...(row.labels_json === null ? {} : { labels: parseLabels(row) }),
    ...(row.project_id === null ? {} : { project: row.project_id }),
    ...(row.batch !== null && { batch: row.batch }),
    ...(next && { leaves: { at: iso(next.at), what: next.what } }),
    ...(row.recording_deleted_at !== null && { recording_deleted: iso(row.recording_deleted_at) }),
    ...(row.given_up === 1 && { given_up: true }),
    metadata: toFileMetadata(row),
  }
}

/** Returns one file as pages list it. @param projects of the caller's key; null: all */
export async function readFileEntry(db: Db, file: FileRow, projects: Listed['projects']): Promise<FileEntry> {
  const [shown = file] = await hideDuplicates(db, projects, [file])
  return toFileEntry(shown, await listRules(db, file.account_id))
}

/** The account's newest version, and the version up to which tombstones have been purged. */
async function readVersions(db: Db, accountId: string): Promise<{ newest: number; purged: number }> {
  const row = await db
    .selectFrom('account_cursors')
    .select(['file_version as newest', 'tombstones_purged as purged'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row ?? { newest: 0, purged: 0 }
}

/** Which files are listed: those of an account, or of some of its projects. */
export type Listed = { accountId: string; projects: readonly string[] | null }

/** Returns a page of files, newest first. */
export async function readFilePage(
  db: Db,
  { accountId, projects }: Listed,
  before: Cursor | null,
  limit: number,
): Promise<FilePage> {
  // Read first, so that a later change is reported twice by changed-since rather than missed.
  const { newest: version } = await readVersions(db, accountId)
  const ofAccount = db
    .selectFrom('files')
    .where('account_id', '=', accountId)
    .$if(projects !== null, (files) => files.where('project_id', 'in', projects ?? []))
  const { total } = await ofAccount.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await ofAccount
    .selectAll()
    .where(isAfter(before))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { page, next_cursor } = cutPage(rows, limit)
  const rules = await listRules(db, accountId)
  const shown = await hideDuplicates(db, projects, page)
  return { files: shown.map((row) => toFileEntry(row, rules)), total, next_cursor, version }
}

/**
 * Returns files and deletions that changed after a version, in version order. A list of some projects is read again as
 * a whole: files may have left these.
 */
export async function readFileChanges(
  db: Db,
  { accountId, projects }: Listed,
  since: number,
  limit: number,
): Promise<FileChanges> {
  const { newest, purged } = await readVersions(db, accountId)
  // A version from the future belongs to another database.
  if (since < purged || since > newest || (projects !== null && since < newest)) {
    return { files: [], deleted: [], version: newest, more: false, resync: true }
  }
  const after = <Table extends 'files' | 'deleted_files'>(table: Table) =>
    db
      .selectFrom(table as 'files')
      .where('account_id', '=', accountId)
      .where('version', '>', since)
      .orderBy('version')
      .limit(limit + 1)
  const files = await after('files').selectAll().execute()
  const deleted = await after('deleted_files').select(['id', 'version']).execute()
  const changes = [...files, ...deleted].map(({ version }) => version).sort((a, b) => a - b)
  const more = changes.length > limit
  const version = more ? (changes[limit - 1] ?? since) : Math.max(newest, changes.at(-1) ?? 0)
  const rules = await listRules(db, accountId)
  const within = (row: { version: number }) => row.version <= version
  return {
    files: files.filter(within).map((row) => toFileEntry(row, rules)),
    deleted: deleted.filter(within).map(({ id }) => id),
    version,
    more,
    resync: false,
  }
}
