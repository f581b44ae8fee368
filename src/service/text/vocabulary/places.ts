import type { CorrectionChange, Patch } from '../../../contract/account/corrections.ts'
import type { FileVocabulary } from '../../../contract/account/vocabulary.ts'
import type { VocabularyPlace } from '../../../text/vocabulary.ts'
import type { Db, Trx } from '../../platform/db/open.ts'

/*
 * Places corrected by the vocabulary. They count as long as its text is still there, and are deleted with their file.
 */

const saved = (db: Db, accountId: string) =>
  db.selectFrom('vocabulary_places').where('account_id', '=', accountId).where('is_undone', '=', 0)

/** How many places in how many transcripts it corrected. */
export async function countSaved(db: Db, accountId: string): Promise<{ places: number; transcripts: number }> {
  return await saved(db, accountId)
    .select((eb) => [
      eb.fn.countAll<number>().as('places'),
      eb.fn.count<number>('file_id').distinct().as('transcripts'),
    ])
    .executeTakeFirstOrThrow()
}

export async function savedByWord(db: Db, accountId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await saved(db, accountId)
    .select((eb) => ['written', eb.fn.countAll<number>().as('places')])
    .groupBy('written')
    .execute()
  return new Map(rows.map(({ written, places }) => [written, places]))
}

/** The ordered places of a transcript, without those that were undone. */
export async function vocabularyPlaces(db: Db, fileId: string): Promise<FileVocabulary['places']> {
  return await db
    .selectFrom('vocabulary_places')
    .select(['from_word as from', 'to_word as to', 'text'])
    .where('file_id', '=', fileId)
    .where('is_undone', '=', 0)
    .orderBy('from_word')
    .execute()
}

export async function writePlaces(
  trx: Trx,
  file: { id: string; account_id: string },
  places: readonly VocabularyPlace[],
): Promise<void> {
  for (const { from, to, written, text } of places) {
    const values = { file_id: file.id, account_id: file.account_id, from_word: from, to_word: to, written, text }
    await trx.insertInto('vocabulary_places').values(values).execute()
  }
}

/** Rechecks whether places touched by a change of the corrections still have the vocabulary's text. */
export async function followChange(trx: Trx, fileId: string, { anew, remove, put }: CorrectionChange): Promise<void> {
  const touched = [...remove, ...put.map(({ from, to }) => [from, to] as const)]
  const from = anew === true ? 0 : Math.min(...touched.map(([start]) => start))
  const to = anew === true ? Number.MAX_SAFE_INTEGER : Math.max(...touched.map(([, end]) => end))
  if (from > to) return
  const places = await trx
    .selectFrom('vocabulary_places')
    .selectAll()
    .where('file_id', '=', fileId)
    .where('from_word', '<=', to)
    .where('to_word', '>=', from)
    .orderBy('from_word')
    .execute()
  if (places.length === 0) return
  const patches = await patchesBetween(trx, fileId, from, to)
  for (const place of places) {
    const patch = patches.find((one) => one.from <= place.from_word && one.to >= place.to_word)
    const is_undone = saysStill(patch, place.text) ? 0 : 1
    if (is_undone === place.is_undone) continue
    const ofPlace = trx.updateTable('vocabulary_places').set({ is_undone }).where('file_id', '=', fileId)
    await ofPlace.where('from_word', '=', place.from_word).execute()
  }
}

const saysStill = (patch: Patch | undefined, text: string): boolean =>
  patch !== undefined && ` ${patch.words.map((word) => word.text).join(' ')} `.includes(` ${text} `)

async function patchesBetween(trx: Trx, fileId: string, from: number, to: number): Promise<Patch[]> {
  const rows = await trx
    .selectFrom('correction_patches')
    .select('patch_json')
    .where('file_id', '=', fileId)
    .where('from_word', '<=', to)
    .where('to_word', '>=', from)
    .orderBy('from_word')
    .execute()
  return rows.map(({ patch_json }) => JSON.parse(patch_json) as Patch)
}
