import type { Transaction } from 'kysely'
import { nextFileVersion } from '../db/outbox.ts'
import type { Database, FileRow } from '../db/schema.ts'
import type { StagedBlob, StagedContent } from '../media/blob-store.ts'
import type { Platform } from '../platform.ts'

/** The metadata is sent in a header, so of very many duplicates only the newest are listed. */
const namedDuplicates = 20

/** Ids of the account's files with the same recording, byte for byte, newest first (spec 2.2 `duplicates`). */
export async function duplicatesOf(
  { db }: Pick<Platform, 'db'>,
  accountId: string,
  staged: StagedBlob,
  content: StagedContent,
): Promise<string[]> {
  const candidates = await db
    .selectFrom('files')
    .select('id')
    .where('account_id', '=', accountId)
    .where('content_hash', '=', content.contentHash)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(namedDuplicates)
    .execute()
  const same: string[] = []
  for (const { id } of candidates) if (await staged.sameAs(id)) same.push(id)
  return same
}

function readIds(json: string | null): string[] {
  return json === null ? [] : (JSON.parse(json) as string[])
}

async function setDuplicates(trx: Transaction<Database>, fileId: string, ids: readonly string[]): Promise<void> {
  await trx
    .updateTable('files')
    .set({ duplicates_json: ids.length === 0 ? null : JSON.stringify(ids), version: await nextFileVersion(trx) })
    .where('id', '=', fileId)
    .execute()
}

/** Adds a new file to the `duplicates` of older files with the same recording. */
export async function joinDuplicates(trx: Transaction<Database>, file: FileRow): Promise<void> {
  for (const id of readIds(file.duplicates_json)) {
    const other = await trx.selectFrom('files').select('duplicates_json').where('id', '=', id).executeTakeFirst()
    if (other === undefined) continue
    await setDuplicates(trx, id, [file.id, ...readIds(other.duplicates_json)].slice(0, namedDuplicates))
  }
}

/** Removes a file that is being deleted from the `duplicates` of the others. */
export async function leaveDuplicates(trx: Transaction<Database>, file: FileRow): Promise<void> {
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
