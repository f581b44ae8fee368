import type { Platform } from '../platform.ts'
import { storedWordsJson } from '../transcripts/stored-words.ts'
import type { Engine, HeardWord, Piece } from './engine.ts'
import { EngineError } from './engine.ts'
import { storedWordsOf } from './stored-piece.ts'

const triesOfOnePiece = 3

async function heardWithPatience(engine: Engine, piece: Piece, signal: AbortSignal): Promise<HeardWord[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await engine.recognise(piece, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof EngineError) || !error.retryable || attempt === triesOfOnePiece) throw error
    }
  }
}

/** Tells how far everything is done, though pieces end in any order. */
class Frontier {
  readonly #ended = new Map<number, number>()
  #next = 0
  doneMs = 0

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

export type PiecesTask = {
  fileId: string
  pieces: AsyncIterable<Piece>
  engine: Engine
  signal: AbortSignal
  /** told each time more of the beginning is done, in order */
  onDone: (doneMs: number) => Promise<void>
}

/**
 * Recognises the pieces of one recording, as many at a time as the engine takes, and stores each as it ends; pieces that
 * an earlier run has stored are passed over. Memory: a few pieces.
 * @throws EngineError where a piece fails for good; AbortError when `signal` says stop
 */
export async function recognisePieces(platform: Pick<Platform, 'db'>, task: PiecesTask): Promise<void> {
  const { db } = platform
  const { fileId, engine } = task
  const stored = await db.selectFrom('pieces').select('position').where('file_id', '=', fileId).execute()
  const done = new Set(stored.map(({ position }) => position))
  const failed = new AbortController()
  const signal = AbortSignal.any([task.signal, failed.signal])
  const frontier = new Frontier()
  const underWay = new Set<Promise<void>>()

  async function recognise(piece: Piece): Promise<void> {
    const heard = await heardWithPatience(engine, piece, signal)
    const words_json = [...storedWordsJson(storedWordsOf(piece, heard))].join('')
    const { position, startMs: start_ms, endMs: end_ms } = piece
    await db.transaction().execute(async (trx) => {
      // A file that was deleted meanwhile must not leave pieces behind.
      const file = await trx.selectFrom('files').select('id').where('id', '=', fileId).executeTakeFirst()
      if (file === undefined) return
      const row = { file_id: fileId, position, start_ms, end_ms, words_json }
      await trx
        .insertInto('pieces')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      // Work that gets on is no failed attempt, however often the process is killed.
      await trx
        .updateTable('jobs')
        .set({ attempts: 0 })
        .where('file_id', '=', fileId)
        .where('kind', '=', 'recognise')
        .execute()
    })
    if (frontier.add(position, piece.endMs)) await task.onDone(frontier.doneMs)
  }

  try {
    for await (const piece of task.pieces) {
      signal.throwIfAborted()
      if (done.has(piece.position)) {
        if (frontier.add(piece.position, piece.endMs)) await task.onDone(frontier.doneMs)
        continue
      }
      const running: Promise<void> = recognise(piece).finally(() => underWay.delete(running))
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
