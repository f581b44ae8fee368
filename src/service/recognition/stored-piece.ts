import type { StoredWord } from '../text/transcripts/stored-words.ts'
import type { HeardWord, Piece } from './engine.ts'

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000
}

/**
 * Converts a piece's words to times from the start of the recording (spec 2.4): sorted and clamped to the piece, none
 * ending before it starts or starting before its predecessor, whatever the engine returned.
 */
export function storedWordsOf(piece: Pick<Piece, 'startMs' | 'endMs'>, heard: readonly HeardWord[]): StoredWord[] {
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
