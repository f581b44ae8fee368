import { setImmediate as untilIdle } from 'node:timers/promises'
import type { OrderOptions } from '../../contract/order-options.ts'
import { buildTranscript } from '../../formats/build-transcript.ts'
import type { Transcript } from '../../formats/transcript.ts'
import type { FileRow } from '../db/schema.ts'
import type { Platform } from '../platform.ts'
import type { StoredWord } from './stored-words.ts'
import { readStoredWords, readWordsStream } from './stored-words.ts'

/** How many pieces are read at a time; other requests go between. */
const piecesAtOnce = 100

/** The words of the pieces that are done so far, in order. */
async function wordsSoFar({ db }: Platform, file: FileRow): Promise<StoredWord[]> {
  const words: StoredWord[] = []
  for (let after = -1; ; ) {
    const pieces = await db
      .selectFrom('pieces')
      .select(['position', 'words_json'])
      .where('file_id', '=', file.id)
      .where('position', '>', after)
      .orderBy('position')
      .limit(piecesAtOnce)
      .execute()
    for (const piece of pieces) for (const word of readStoredWords(piece.words_json)) words.push(word)
    const last = pieces.at(-1)
    if (last === undefined || pieces.length < piecesAtOnce) return words
    after = last.position
    await untilIdle()
  }
}

/** What of the recording a typist can have written at this progress; the recogniser may be far ahead of the typing. */
function typedSoFar(words: StoredWord[], file: FileRow): StoredWord[] {
  const typedSeconds = (file.duration_ms * file.progress_percent) / 100_000
  return words.filter(({ start }) => start < typedSeconds)
}

/**
 * The transcript of a file as it stands: all of it at 100, below that the finished pieces (spec 2.5), of which a
 * manual order shows as much as its progress says is typed.
 * @throws ENOENT where a finished file has no words
 */
export async function transcriptOf(platform: Platform, file: FileRow): Promise<Transcript> {
  const options = JSON.parse(file.options_json) as OrderOptions
  const about = {
    title: file.name,
    options,
    created: new Date(file.created_at).toISOString(),
    durationMs: file.duration_ms,
    progressPercent: file.progress_percent,
  }
  if (file.progress_percent >= 100)
    return buildTranscript(about, await readWordsStream(platform.blobs.read(file.id, 'words.json')))
  const words = await wordsSoFar(platform, file)
  return buildTranscript(about, options.transcript_type === 'manual' ? typedSoFar(words, file) : words)
}
