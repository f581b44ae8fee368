import type { StoredWord } from '../../text/build-transcript.ts'
import type { Db } from '../platform/db/open.ts'
import type { Job } from '../platform/db/schema.ts'
import { storedWordsJson } from '../text/transcripts/stored-words.ts'
import type { HeardWord, Piece } from './engine.ts'
import { type HeardVoices, packVoices } from './speakers/packed-voices.ts'

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000
}

/**
 * Converts a piece's words to times from the start of the recording (spec 2.4): sorted and clamped to the piece, none
 * ending before it starts or starting before its predecessor, whatever the engine returned.
 */
function toStoredWords(piece: Pick<Piece, 'startMs' | 'endMs'>, heard: readonly HeardWord[]): StoredWord[] {
  const pieceStart = piece.startMs / 1_000
  const pieceEnd = piece.endMs / 1_000
  const inOrder = heard
    .map((word) => ({ ...word, text: word.text.trim().replaceAll(/\s+/g, ' ') }))
    .filter(({ text, start, end }) => text !== '' && Number.isFinite(start) && Number.isFinite(end))
    .sort((a, b) => a.start - b.start)
  return inOrder.map((word, index): StoredWord => {
    const start = toMilliseconds(Math.min(pieceEnd, Math.max(pieceStart, pieceStart + word.start)))
    const next = inOrder[index + 1]?.start ?? Number.POSITIVE_INFINITY
    const latest = Math.min(pieceEnd, Math.max(start, pieceStart + next))
    const end = toMilliseconds(Math.max(start, Math.min(latest, pieceStart + word.end)))
    const conf = Number.isFinite(word.confidence) ? Math.min(1, Math.max(0, word.confidence)) : 0
    const stored = { word: word.text, start, end, duration: toMilliseconds(end - start), conf: toMilliseconds(conf) }
    return word.estimated === true ? { ...stored, estimated: true } : stored
  })
}

export type Span = { position: number; start_ms: number; end_ms: number; resume_ms: number | null }

/** Reads a recording's stored pieces between two positions, in order. */
export function piecesBetween(db: Db, fileId: string, from: number, to: number): Promise<Span[]> {
  return db
    .selectFrom('pieces')
    .select(['position', 'start_ms', 'end_ms', 'resume_ms'])
    .where('file_id', '=', fileId)
    .where('position', '>=', from)
    .where('position', '<', to)
    .orderBy('position')
    .execute()
}

/**
 * Stores a finished piece and counts it, exactly once, unless another process has taken over the job or the file is
 * gone.
 * @param coveredMs its contribution to progress: itself, and the silence around it
 * @returns how much of the recording is recognized now, in milliseconds; null if the job is no longer ours
 */
export async function storePiece(
  db: Db,
  job: Job,
  piece: Piece,
  coveredMs: number,
  heard: readonly HeardWord[],
  heardVoices: HeardVoices | null,
): Promise<number | null> {
  const { position, startMs: start_ms, endMs: end_ms, resumeMs: resume_ms } = piece
  const file_id = job.file_id ?? ''
  const words_json = [...storedWordsJson(toStoredWords(piece, heard))].join('')
  const voices = heardVoices === null ? null : packVoices(heardVoices, start_ms)
  return await db.transaction().execute(async (trx) => {
    // Progress resets the attempt counter, however often the process is killed.
    const ours = trx.updateTable('jobs').set({ attempts: 0 }).where('id', '=', job.id).where('fence', '=', job.fence)
    if ((await ours.executeTakeFirst()).numUpdatedRows === 0n) return null
    const stored = await trx
      .insertInto('pieces')
      .values({ file_id, position, start_ms, end_ms, resume_ms, words_json, voices })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    const added = (stored.numInsertedOrUpdatedRows ?? 0n) > 0n ? coveredMs : 0
    const row = await trx
      .updateTable('recognitions')
      .set((eb) => ({ heard_ms: eb('heard_ms', '+', added) }))
      .where('file_id', '=', file_id)
      .returning('heard_ms')
      .executeTakeFirst()
    return row?.heard_ms ?? null
  })
}
