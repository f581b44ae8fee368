import type { Db } from '../../platform/db/open.ts'
import { correctedText, joinTexts, type PartText } from './part-text.ts'

/** The ordered parts of a manual order, each with its text once it is typed; none if it has no parts. */
export async function typedParts(db: Db, fileId: string) {
  const rows = await db
    .selectFrom('work_parts')
    .innerJoin('work_texts', 'work_texts.part_id', 'work_parts.id')
    .selectAll('work_parts')
    .select(['words_json', 'names_json', 'step_set_json'])
    .where('file_id', '=', fileId)
    .where('position', '>', 0)
    .orderBy('position')
    .execute()
  return rows.map(({ words_json, names_json, step_set_json, ...part }) => {
    // The result of finished steps only: nobody reads over somebody's shoulder.
    const base = { words: JSON.parse(words_json), names: JSON.parse(names_json) }
    const nothing: PartText = { words: [], names: [] }
    return { part, text: part.reached > 0 ? correctedText(base, step_set_json && JSON.parse(step_set_json)) : nothing }
  })
}

/** All typed text, in order; null if an order has no parts. */
export async function typedText(db: Db, fileId: string): Promise<PartText | null> {
  const parts = await typedParts(db, fileId)
  return parts.length === 0 ? null : joinTexts(parts.map(({ text }) => text))
}

/** Grows with every typed or reviewed step. */
export async function stepsDone(db: Db, fileId: string): Promise<number> {
  const { claims } = await db
    .selectFrom('work_claims')
    .select((eb) => eb.fn.countAll<number>().as('claims'))
    .where('file_id', '=', fileId)
    .where('ending', '=', 'submitted')
    .executeTakeFirstOrThrow()
  return claims
}
