import { setImmediate as untilIdle } from 'node:timers/promises'
import type { Db } from '../db/open.ts'

/** How many pieces are read at a time, so that other requests are served in between. */
const piecesAtOnce = 100

/** `words_json` of each piece that is done so far, in order. */
export async function wordsSoFar(db: Db, fileId: string): Promise<string[]> {
  const found: string[] = []
  for (let after = -1; ; ) {
    const pieces = await db
      .selectFrom('pieces')
      .select(['position', 'words_json'])
      .where('file_id', '=', fileId)
      .where('position', '>', after)
      .orderBy('position')
      .limit(piecesAtOnce)
      .execute()
    for (const { words_json } of pieces) found.push(words_json)
    const last = pieces.at(-1)
    if (last === undefined || pieces.length < piecesAtOnce) return found
    after = last.position
    await untilIdle()
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
