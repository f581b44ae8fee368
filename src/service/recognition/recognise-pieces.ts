import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../db/open.ts'
import type { Platform } from '../platform.ts'
import { storedWordsJson } from '../transcripts/stored-words.ts'
import type { Engine, HeardWord, Piece } from './engine.ts'
import { EngineError } from './engine.ts'
import { type HeardVoices, packVoices } from './speakers/packed-voices.ts'
import type { VoiceListener } from './speakers/voice-listener.ts'
import { storedWordsOf } from './stored-piece.ts'

/** pauses between the tries of one piece, in milliseconds */
const retryWaitsMs = [1_000, 5_000]

async function heardWithPatience(
  { engine, hints }: Pick<PiecesTask, 'engine' | 'hints'>,
  piece: Piece,
  signal: AbortSignal,
): Promise<HeardWord[]> {
  for (const waitMs of [...retryWaitsMs, null]) {
    try {
      return await engine.recognise(piece, signal, hints)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof EngineError) || !error.retryable || waitMs === null) throw error
      await delay(waitMs, undefined, { signal })
    }
  }
  throw new Error('unreachable: the last try returns or throws')
}

/** Tracks up to where all pieces are done, though they end in any order. */
class Frontier {
  readonly #ended = new Map<number, number>()
  #next: number
  doneMs: number

  constructor(next: number, doneMs: number) {
    this.#next = next
    this.doneMs = doneMs
  }

  /** @returns true where the frontier moved */
  add(position: number, endMs: number): boolean {
    this.#ended.set(position, endMs)
    const before = this.#next
    for (let end = this.#ended.get(this.#next); end !== undefined; end = this.#ended.get(this.#next)) {
      this.#ended.delete(this.#next)
      this.#next += 1
      this.doneMs = end
    }
    return this.#next > before
  }
}

type Span = { position: number; start_ms: number; end_ms: number; resume_ms: number | null }

async function storedPieces(db: Db, fileId: string): Promise<Span[]> {
  return db
    .selectFrom('pieces')
    .select(['position', 'start_ms', 'end_ms', 'resume_ms'])
    .where('file_id', '=', fileId)
    .orderBy('position')
    .execute()
}

/** The last piece before the first missing one: the search resumes after it. */
function lastInOrder(stored: readonly Span[]): Span | undefined {
  return stored.findLast(({ position, resume_ms }, index) => position === index && resume_ms !== null)
}

/** Deletes pieces from a position on: another engine cuts differently, so they are recognised again. */
async function deletePiecesFrom(db: Db, fileId: string, position: number): Promise<void> {
  await db.deleteFrom('pieces').where('file_id', '=', fileId).where('position', '>=', position).execute()
}

/** Stores a finished piece, unless its file has been deleted meanwhile. */
async function storePiece(
  db: Db,
  fileId: string,
  piece: Piece,
  heard: readonly HeardWord[],
  heardVoices: HeardVoices | null,
): Promise<void> {
  const { position, startMs: start_ms, endMs: end_ms, resumeMs: resume_ms } = piece
  const words_json = [...storedWordsJson(storedWordsOf(piece, heard))].join('')
  const voices = heardVoices === null ? null : packVoices(heardVoices, start_ms)
  await db.transaction().execute(async (trx) => {
    const file = await trx.selectFrom('files').select('id').where('id', '=', fileId).executeTakeFirst()
    if (file === undefined) return
    await trx
      .insertInto('pieces')
      .values({ file_id: fileId, position, start_ms, end_ms, resume_ms, words_json, voices })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    // A run that makes progress is not a failed attempt, however often the process is killed.
    await trx
      .updateTable('jobs')
      .set({ attempts: 0 })
      .where('file_id', '=', fileId)
      .where('kind', '=', 'recognise')
      .execute()
  })
}

export type PiecesTask = {
  fileId: string
  /** the pieces of the recording from a position on, in order */
  pieces: (from: { position: number; ms: number }) => AsyncIterable<Piece>
  engine: Engine
  /** words and names that may be said, for engines that take hints */
  hints: readonly string[]
  listener: VoiceListener
  signal: AbortSignal
  /** called each time more of the recording is done without a gap */
  onDone: (doneMs: number) => Promise<void>
}

/**
 * Recognises the pieces of one recording, as many at a time as the engine allows, and stores each with its words and
 * voices as it ends. Resumes after the pieces that an earlier run has stored. Memory: a few pieces.
 * @throws EngineError where a piece fails for good; AbortError when `signal` is aborted
 */
export async function recognisePieces(platform: Pick<Platform, 'db'>, task: PiecesTask): Promise<void> {
  const { db } = platform
  const { fileId, engine, listener } = task
  const stored = await storedPieces(db, fileId)
  const last = lastInOrder(stored)
  const from = last === undefined ? { position: 0, ms: 0 } : { position: last.position + 1, ms: last.resume_ms ?? 0 }
  const done = new Map(stored.filter(({ position }) => position >= from.position).map((row) => [row.position, row]))
  const failed = new AbortController()
  const signal = AbortSignal.any([task.signal, failed.signal])
  const frontier = new Frontier(from.position, last?.end_ms ?? 0)
  let count = from.position
  const underWay = new Set<Promise<void>>()

  async function recognise(piece: Piece): Promise<void> {
    const isSilence = piece.pcm.length === 0
    const [heard, voices] = isSilence
      ? [[], null]
      : await Promise.all([heardWithPatience(task, piece, signal), listener.listen(piece, signal)])
    await storePiece(db, fileId, piece, heard, voices)
    if (frontier.add(piece.position, piece.endMs)) await task.onDone(frontier.doneMs)
  }

  try {
    for await (const piece of task.pieces(from)) {
      signal.throwIfAborted()
      count = piece.position + 1
      const before = done.get(piece.position)
      if (before !== undefined && (before.start_ms !== piece.startMs || before.end_ms !== piece.endMs)) {
        await deletePiecesFrom(db, fileId, piece.position)
        done.clear()
      } else if (before !== undefined) {
        if (frontier.add(piece.position, piece.endMs)) await task.onDone(frontier.doneMs)
        continue
      }
      const running: Promise<void> = recognise(piece).finally(() => underWay.delete(running))
      underWay.add(running)
      if (underWay.size >= engine.parallel) await Promise.race(underWay)
    }
    await Promise.all(underWay)
    await deletePiecesFrom(db, fileId, count)
    task.signal.throwIfAborted()
  } catch (error) {
    failed.abort(error)
    await Promise.allSettled(underWay)
    throw error
  }
}
