import type { CorrectionChange, CorrectionSet, KeptCorrections, Patch } from '../../../contract/account/corrections.ts'
import { applyChange } from '../../../text/correction-set.ts'
import type { Db, Trx } from '../../platform/db/open.ts'

/** The newest revision of a file's corrections, 0 if it has none. */
export async function revisionOfFile(db: Db, fileId: string): Promise<number> {
  const row = await db.selectFrom('corrections').select('revision').where('file_id', '=', fileId).executeTakeFirst()
  return row?.revision ?? 0
}

/** The current corrections of a file, read consistently. */
export async function loadCorrections(db: Db, fileId: string): Promise<KeptCorrections> {
  const atOneMoment = db.transaction().setIsolationLevel('repeatable read')
  return await atOneMoment.execute((trx) => readCorrections(trx, fileId))
}

async function readCorrections(db: Trx, fileId: string): Promise<KeptCorrections> {
  const row = await db
    .selectFrom('corrections')
    .select(['revision', 'fingerprint', 'base_names_json', 'names_json'])
    .where('file_id', '=', fileId)
    .executeTakeFirst()
  if (row === undefined) return { revision: 0, set: null }
  const rows = await db
    .selectFrom('correction_patches')
    .select('patch_json')
    .where('file_id', '=', fileId)
    .orderBy('from_word')
    .orderBy('to_word')
    .execute()
  const set: CorrectionSet = {
    fingerprint: row.fingerprint,
    baseNames: JSON.parse(row.base_names_json),
    names: JSON.parse(row.names_json),
    patches: rows.map(({ patch_json }) => JSON.parse(patch_json) as Patch),
  }
  return { revision: row.revision, set }
}

/** The corrections of an existing revision: the newest is read, an earlier one rebuilt. */
export async function setOfRevision(db: Db, fileId: string, revision: number): Promise<CorrectionSet | null> {
  const now = await loadCorrections(db, fileId)
  return now.revision === revision ? now.set : await correctionsAt(db, fileId, revision)
}

/** The corrections after a revision, rebuilt from their changes; null if there is none. */
export async function correctionsAt(db: Db, fileId: string, revision: number): Promise<CorrectionSet | null> {
  const rows = await db
    .selectFrom('correction_changes')
    .select(['revision', 'change_json'])
    .where('file_id', '=', fileId)
    .where('revision', '<=', revision)
    .orderBy('revision')
    .execute()
  // Thinned ones are part of a later one (`versions.ts`).
  if (rows.at(-1)?.revision !== revision) return null
  let set: CorrectionSet | null = null
  for (const { change_json } of rows) {
    set = applyChange(set, JSON.parse(change_json) as CorrectionChange)
  }
  return set
}
