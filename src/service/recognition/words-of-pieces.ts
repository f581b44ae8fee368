import type { FileRow } from '../db/schema.ts'
import type { Platform } from '../platform.ts'
import type { StoredWord } from '../transcripts/stored-words.ts'
import { readStoredWords } from '../transcripts/stored-words.ts'

/** All words of a recording from its finished pieces, in order. */
export async function wordsOfPieces({ db }: Pick<Platform, 'db'>, file: FileRow): Promise<StoredWord[]> {
  const words: StoredWord[] = []
  const pieces = await db
    .selectFrom('pieces')
    .select('words_json')
    .where('file_id', '=', file.id)
    .orderBy('position')
    .execute()
  for (const piece of pieces) words.push(...readStoredWords(piece.words_json))
  return words
}
