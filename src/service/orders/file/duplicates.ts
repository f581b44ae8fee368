import { knownFileHeader } from '../../../contract/interface/headers.ts'
import type { Db } from '../../platform/db/open.ts'
import { nextFileVersion } from '../../platform/db/outbox.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'
import type { StagedBlob, StagedContent } from '../../platform/media/blob-store.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'

/** The metadata is sent in a header, so only the newest of very many duplicates are listed. */
const namedDuplicates = 20

/** The newest file already on the account for each of these contents. */
export async function knownContent(
  { db }: Pick<Platform, 'db'>,
  accountId: string,
  hashes: readonly string[],
): Promise<{ content_hash: string; id: string; project_id: string | null }[]> {
  const rows = await db
    .selectFrom('files')
    .select(['content_hash', 'id', 'project_id'])
    .where('account_id', '=', accountId)
    .where('content_hash', 'in', hashes)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return [...new Map(rows.map((row) => [row.content_hash, row])).values()]
}

/**
 * At most this many are compared byte by byte: one is enough, unless it is damaged or equal only at the hashed samples.
 */
const comparedFiles = 3

/**
 * Ids of the account's files with the same recording, byte for byte, newest first (spec 2.2 `duplicates`). A file found
 * equal supplies the others. A file whose recording is lost or truncated is not a duplicate.
 */
export async function findDuplicates(
  { db, blobs }: Pick<Platform, 'db' | 'blobs'>,
  accountId: string,
  staged: StagedBlob,
  content: StagedContent,
): Promise<string[]> {
  const candidates = await db
    .selectFrom('files')
    .select(['id', 'duplicates_json'])
    .where('account_id', '=', accountId)
    .where('content_hash', '=', content.contentHash)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(namedDuplicates)
    .execute()
  const sizes = await Promise.all(candidates.map(({ id }) => blobs.size(id, 'media')))
  const whole = candidates.filter((_, index) => sizes[index] === content.bytes)
  for (const { id, duplicates_json } of whole.slice(0, comparedFiles)) {
    if (!(await staged.sameAs(id))) continue
    const same = new Set([id, ...readIds(duplicates_json)])
    return whole.map((other) => other.id).filter((other) => same.has(other))
  }
  return []
}

/** @throws ServiceError 409 naming the file that the account has of the same recording */
export function requireUnknown([known]: readonly string[]): void {
  if (known === undefined) return
  const words = `The account already has this recording, as ${known}. Nothing was charged.`
  throw new ServiceError(409, words, { [knownFileHeader]: known })
}

/** No order takes that long between looking for duplicates and being written. */
const meanwhileMs = 10 * 60_000

/** Ids of files with the content of an order that were written after it looked for duplicates: from two tabs at once. */
export async function orderedMeanwhile(trx: AccountTrx, { content_hash, created_at }: FileRow): Promise<string[]> {
  const same = trx.selectFrom('files').select('id').where('account_id', '=', trx.accountId)
  const rows = await same
    .where('content_hash', '=', content_hash)
    .where('created_at', '>', created_at - meanwhileMs)
    .where('recording_deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(({ id }) => id)
}

function readIds(json: string | null): string[] {
  return json === null ? [] : (JSON.parse(json) as string[])
}

/**
 * The files without duplicates in projects that a key does not reach; the rows of the database keep them.
 * @param projects of the key; null: all
 */
export function hideDuplicates(
  db: Db,
  projects: readonly string[] | null,
  files: readonly FileRow[],
): readonly FileRow[] | Promise<readonly FileRow[]> {
  const named = files.flatMap(({ duplicates_json }) => readIds(duplicates_json))
  return projects === null || named.length === 0 ? files : withinProjects(db, projects, files, named)
}

async function withinProjects(
  db: Db,
  projects: readonly string[],
  files: readonly FileRow[],
  named: readonly string[],
) {
  const reached = await db
    .selectFrom('files')
    .select('id')
    .where('id', 'in', named)
    .where('project_id', 'in', projects)
    .execute()
  const ids = new Set(reached.map(({ id }) => id))
  return files.map((file) => {
    const shown = readIds(file.duplicates_json).filter((id) => ids.has(id))
    return { ...file, duplicates_json: shown.length === 0 ? null : JSON.stringify(shown) }
  })
}

async function setDuplicates(trx: AccountTrx, fileId: string, ids: readonly string[]): Promise<void> {
  await trx
    .updateTable('files')
    .set({ duplicates_json: ids.length === 0 ? null : JSON.stringify(ids), version: await nextFileVersion(trx) })
    .where('id', '=', fileId)
    .execute()
}

/** Adds a new file to the `duplicates` of older files with the same recording. */
export async function joinDuplicates(trx: AccountTrx, file: FileRow): Promise<void> {
  for (const id of readIds(file.duplicates_json)) {
    const other = await trx.selectFrom('files').select('duplicates_json').where('id', '=', id).executeTakeFirst()
    if (other === undefined) continue
    await setDuplicates(trx, id, [file.id, ...readIds(other.duplicates_json)].slice(0, namedDuplicates))
  }
}

/** Removes a file being deleted from the `duplicates` of the others. */
export async function leaveDuplicates(trx: AccountTrx, file: FileRow): Promise<void> {
  if (file.duplicates_json === null) return
  const others = await trx
    .selectFrom('files')
    .select(['id', 'duplicates_json'])
    .where('account_id', '=', file.account_id)
    .where('content_hash', '=', file.content_hash)
    .where('id', '!=', file.id)
    .execute()
  for (const { id, duplicates_json } of others) {
    const ids = readIds(duplicates_json)
    if (!ids.includes(file.id)) continue
    await setDuplicates(
      trx,
      id,
      ids.filter((named) => named !== file.id),
    )
  }
}
