import { setImmediate as untilIdle } from 'node:timers/promises'
import type { Db } from '../../platform/db/open.ts'

/** Pieces read per query, so that other requests are served in between. */
const piecesAtOnce = 100

/** Pieces of section n of a recording have positions from n times this on. None has as many: at most 380 in 10 min. */
export const positionsPerSection = 10_000

/** Where the text ends for now: after the first incompletely recognized section, as later ones may finish earlier. */
async function firstGap(db: Db, fileId: string): Promise<number> {
  const unheard = await db
    .selectFrom('jobs')
    .select('payload_json')
    .where('file_id', '=', fileId)
    .where('step', '=', 'hear')
    .execute()
  const sections = unheard.map(({ payload_json }): number => JSON.parse(payload_json).section)
  return sections.length === 0 ? Number.MAX_SAFE_INTEGER : (Math.min(...sections) + 1) * positionsPerSection
}

/** The finished pieces of a file so far, in order. @param withVoices includes their voice features */
export async function* donePieces(db: Db, fileId: string, withVoices = false) {
  const gap = await firstGap(db, fileId)
  for (let after = -1; ; await untilIdle()) {
    const pieces = await db
      .selectFrom('pieces')
      .select(['position', 'start_ms', 'words_json'])
      .$if(withVoices, (select) => select.select('voices'))
      .where('file_id', '=', fileId)
      .where('position', '>', after)
      .where('position', '<', gap)
      .orderBy('position')
      .limit(piecesAtOnce)
      .execute()
    yield* pieces
    const last = pieces.at(-1)
    if (last === undefined || pieces.length < piecesAtOnce) return
    after = last.position
  }
}

/** How many there are: the words so far change only with this number. */
export async function countPieces(db: Db, fileId: string): Promise<number> {
  const { count } = await db
    .selectFrom('pieces')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('file_id', '=', fileId)
    .where('position', '<', await firstGap(db, fileId))
    .executeTakeFirstOrThrow()
  return count
}
