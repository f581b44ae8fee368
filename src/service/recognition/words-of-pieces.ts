import { setImmediate as untilIdle } from 'node:timers/promises'
import type { Db } from '../db/open.ts'
import { readStoredWords, type StoredWord } from '../transcripts/stored-words.ts'
import type { PackedPiece } from './speakers/voice-worker.ts'

/** How many pieces are read at a time, so that other requests are served in between. */
const piecesAtOnce = 100

/** All words and voices of a recording from its finished pieces, in order. */
export async function wordsOfPieces(db: Db, fileId: string): Promise<{ words: StoredWord[]; voices: PackedPiece[] }> {
  const words: StoredWord[] = []
  const voices: PackedPiece[] = []
  for (let after = -1; ; ) {
    const pieces = await db
      .selectFrom('pieces')
      .select(['position', 'start_ms', 'words_json', 'voices'])
      .where('file_id', '=', fileId)
      .where('position', '>', after)
      .orderBy('position')
      .limit(piecesAtOnce)
      .execute()
    for (const piece of pieces) {
      for (const word of readStoredWords(piece.words_json)) words.push(word)
      if (piece.voices !== null) voices.push({ startMs: piece.start_ms, voices: piece.voices })
    }
    const last = pieces.at(-1)
    if (last === undefined || pieces.length < piecesAtOnce) return { words, voices }
    after = last.position
    await untilIdle()
  }
}
