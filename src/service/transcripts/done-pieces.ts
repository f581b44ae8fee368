import { setImmediate as untilIdle } from 'node:timers/promises'
import type { Db } from '../db/open.ts'

/** How many pieces are read at a time, so that other requests are served in between. */
const piecesAtOnce = 100

/** The pieces of a file that are done so far, in order. @param withVoices what their voices sound like, too */
export async function* donePieces(db: Db, fileId: string, withVoices = false) {
  for (let after = -1; ; await untilIdle()) {
    const pieces = await db
      .selectFrom('pieces')
      .select(['position', 'start_ms', 'words_json'])
      .$if(withVoices, (select) => select.select('voices'))
      .where('file_id', '=', fileId)
      .where('position', '>', after)
      .orderBy('position')
      .limit(piecesAtOnce)
      .execute()
    yield* pieces
    const last = pieces.at(-1)
    if (last === undefined || pieces.length < piecesAtOnce) return
    after = last.position
  }
}

/** How many pieces are done: the words so far change only with this number. */
export async function countPieces(db: Db, fileId: string): Promise<number> {
  const { count } = await db
    .selectFrom('pieces')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('file_id', '=', fileId)
    .executeTakeFirstOrThrow()
  return count
}
