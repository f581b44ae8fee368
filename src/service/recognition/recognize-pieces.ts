import { setTimeout as delay } from 'node:timers/promises'
import type { Job } from '../platform/db/schema.ts'
import type { Platform } from '../platform/platform.ts'
import { positionsPerSection } from '../text/transcripts/done-pieces.ts'
import type { Engine, HeardWord, Piece } from './engine.ts'
import { EngineError } from './engine.ts'
import type { Section } from './pieces/cut-sections.ts'
import type { VoiceListener } from './speakers/voice-listener.ts'
import { piecesBetween, type Span, storePiece } from './stored-pieces.ts'

/** retry delays for a piece, in milliseconds */
const retryWaitsMs = [1_000, 5_000]

async function heardWithPatience(
  { engine, hints }: Pick<PiecesTask, 'engine' | 'hints'>,
  piece: Piece,
  signal: AbortSignal,
): Promise<HeardWord[]> {
  for (const waitMs of [...retryWaitsMs, null]) {
    try {
      return await engine.recognize(piece, signal, hints)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof EngineError) || !error.retryable || waitMs === null) throw error
      await delay(waitMs, undefined, { signal })
    }
  }
  throw new Error('unreachable: the last try returns or throws')
}

function findPositions({ section }: Section): { first: number; end: number } {
  return { first: section * positionsPerSection, end: (section + 1) * positionsPerSection }
}

/** Where the search for the next piece resumes: after the last stored piece before the first gap. */
function resumeAfter(stored: readonly Span[], section: Section): { position: number; ms: number } {
  const { first } = findPositions(section)
  const last = stored.findLast(({ position, resume_ms }, index) => position === first + index && resume_ms !== null)
  return last === undefined
    ? { position: first, ms: section.startMs }
    : { position: last.position + 1, ms: last.resume_ms ?? last.end_ms }
}

/** The stored pieces of a section do not match its audio, or the audio is lost (backups have none). */
export class OtherSoundError extends Error {
  override readonly name = 'OtherSoundError'
}

/** @throws OtherSoundError if a different piece is stored: another detector cut the audio */
function isStored(stored: Span | undefined, { startMs, endMs }: Piece): boolean {
  if (stored === undefined) return false
  if (stored.start_ms !== startMs || stored.end_ms !== endMs) throw new OtherSoundError()
  return true
}

export type PiecesTask = {
  job: Job
  section: Section
  /** yields the section's pieces in order, from a position on */
  pieces: (from: { position: number; ms: number }) => AsyncIterable<Piece>
  engine: Engine
  /** expected words and names, for engines that accept hints */
  hints: readonly string[]
  listener: VoiceListener
  signal: AbortSignal
  /** called as recognition advances, with the total over all sections, and the increment */
  onHeard: (heardMs: number, nowMs: number) => Promise<void>
}

/**
 * Recognizes the pieces of one section, concurrently up to the engine's limit, and stores each with its words and
 * voices as it completes. Resumes after pieces stored by an earlier run. Memory: a few pieces.
 * @throws OtherSoundError; EngineError if a piece fails for good; AbortError when `signal` is aborted, or the job is no
 * longer ours
 */
export async function recognizePieces({ db }: Pick<Platform, 'db'>, task: PiecesTask): Promise<void> {
  const { job, section, engine, listener } = task
  const fileId = job.file_id ?? ''
  const { first, end } = findPositions(section)
  const stored = await piecesBetween(db, fileId, first, end)
  const from = resumeAfter(stored, section)
  const done = new Map(stored.filter(({ position }) => position >= from.position).map((row) => [row.position, row]))
  const failed = new AbortController()
  const signal = AbortSignal.any([task.signal, failed.signal])
  let searchedMs = from.ms
  const underWay = new Set<Promise<void>>()

  async function recognize(piece: Piece, coveredMs: number): Promise<void> {
    const isSilence = piece.pcm.length === 0
    const [heard, voices] = isSilence
      ? [[], null]
      : await Promise.all([heardWithPatience(task, piece, signal), listener.listen(piece, signal)])
    const heardMs = await storePiece(db, job, piece, coveredMs, heard, voices)
    if (heardMs === null) throw new DOMException('The file was deleted, or another process hears it.', 'AbortError')
    await task.onHeard(heardMs, coveredMs)
  }

  try {
    for await (const piece of task.pieces(from)) {
      signal.throwIfAborted()
      const coveredMs = piece.resumeMs - searchedMs
      searchedMs = piece.resumeMs
      if (isStored(done.get(piece.position), piece)) continue
      const running: Promise<void> = recognize(piece, coveredMs).finally(() => underWay.delete(running))
      underWay.add(running)
      if (underWay.size >= engine.parallel) await Promise.race(underWay)
    }
    await Promise.all(underWay)
    task.signal.throwIfAborted()
  } catch (error) {
    failed.abort(error)
    await Promise.allSettled(underWay)
    throw error
  }
}
