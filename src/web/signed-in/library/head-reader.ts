import { ApiError, type Credentials } from '../../base/api/client.ts'
import { fetchRecord } from '../../base/api/file-metadata.ts'
import { type FileRecord, MetadataError } from '../../base/api/metadata-reader.ts'
import type { Failure, RowProblem } from './library-messages.ts'

const maxAttempts = 3
/** Delay before a retry, times the number of attempts so far. */
const retryDelayMs = 400
/** A failed row is retried automatically, after a pause that doubles from the first to the last. */
const firstPauseMs = 1_000
const lastPauseMs = 60_000
/** At most this many rows are retried that way; more fail only during an outage, and the next poll reads those. */
const maxLater = 50
/** Pause of the whole queue after a lost connection, or a 429 without Retry-After. */
const pauseMs = 3_000

type Handlers = {
  onRecord: (record: FileRecord) => void
  onProblem: (problem: RowProblem) => void
  onGone: (id: string) => void
  /** nothing can be read at the moment; reading resumes automatically unless the key was refused */
  onStalled: (failure: Failure) => void
}

/** Converts an error into a form that can be posted to the page. */
export function toFailure(error: unknown): Failure {
  if (error instanceof ApiError) {
    return { status: error.status, message: error.message, retryAfterMs: error.retryAfterMs }
  }
  return { status: 0, message: error instanceof Error ? error.message : 'Unknown failure', retryAfterMs: null }
}

/**
 * A queue of HEAD requests, one per file, with limited concurrency. A failing file is tried three times; then its row
 * shows the problem, and is retried with growing pauses. A 429 or a lost connection pauses the whole queue.
 */
export class HeadReader {
  readonly #credentials: Credentials
  readonly #limit: number
  readonly #handlers: Handlers
  /** ids in reading order, with their attempts so far */
  #waiting = new Map<string, number>()
  readonly #running = new Set<string>()
  readonly #later = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #abort = new AbortController()
  #pausedUntil = 0
  #restsUntil = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #idle: (() => void)[] = []

  constructor(credentials: Credentials, limit: number, handlers: Handlers) {
    this.#credentials = credentials
    this.#limit = limit
    this.#handlers = handlers
  }

  /** Enqueues these, once each. */
  read(ids: Iterable<string>): void {
    for (const id of ids) this.#ask(id, 0)
    this.#pump()
  }

  /** Moves these to the head of the queue. */
  readFirst(ids: Iterable<string>): void {
    this.#restsUntil = 0
    const others = this.#waiting
    this.#waiting = new Map()
    for (const id of ids) this.#ask(id, others.get(id) ?? 0)
    for (const [id, attempts] of others) if (!this.#waiting.has(id)) this.#waiting.set(id, attempts)
    this.#pump()
  }

  /** Pauses the queue, except for ids that are put at its head in the meantime. */
  rest(ms: number): void {
    this.#restsUntil = Date.now() + ms
  }

  /** Dequeues a file: it was read elsewhere, or is gone. */
  forget(id: string): void {
    this.#waiting.delete(id)
    this.#forgetLater(id)
  }

  /** Resolves once the queue is empty and idle; ignores later retries. */
  async whenIdle(): Promise<void> {
    if (this.#waiting.size === 0 && this.#running.size === 0) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#waiting.clear()
    for (const id of this.#later.keys()) this.#forgetLater(id)
    this.#abort.abort()
  }

  #ask(id: string, attempts: number): void {
    this.#forgetLater(id)
    if (!this.#running.has(id) && !this.#waiting.has(id)) this.#waiting.set(id, attempts)
  }

  #forgetLater(id: string): void {
    clearTimeout(this.#later.get(id))
    this.#later.delete(id)
  }

  #pump(): void {
    const wait = Math.max(this.#pausedUntil, this.#restsUntil) - Date.now()
    if (wait > 0) {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#pump(), wait)
      return
    }
    for (const [id, attempts] of this.#waiting) {
      if (this.#running.size >= this.#limit) return
      this.#waiting.delete(id)
      this.#running.add(id)
      void this.#readOne(id, attempts)
    }
  }

  async #readOne(id: string, attempts: number): Promise<void> {
    try {
      const record = await fetchRecord(this.#credentials, id, this.#abort.signal)
      this.#handlers.onRecord(record)
    } catch (error) {
      if (!this.#abort.signal.aborted) await this.#failed(id, attempts + 1, error)
    } finally {
      this.#running.delete(id)
      this.#pump()
      if (this.#waiting.size === 0 && this.#running.size === 0) for (const done of this.#idle.splice(0)) done()
    }
  }

  async #failed(id: string, attempts: number, error: unknown): Promise<void> {
    const failure = toFailure(error)
    if (error instanceof MetadataError) return this.#handlers.onProblem({ id, message: error.message })
    if (failure.status === 404) return this.#handlers.onGone(id)
    if (failure.status === 401) {
      this.close()
      return this.#handlers.onStalled(failure)
    }
    if (failure.status === 429 || failure.status === 0) {
      this.#pausedUntil = Date.now() + (failure.retryAfterMs ?? pauseMs)
      this.#waiting.set(id, attempts - 1)
      return this.#handlers.onStalled(failure)
    }
    if (failure.status < 500) return this.#handlers.onProblem({ id, message: failure.message })
    if (attempts >= maxAttempts) {
      this.#handlers.onProblem({ id, message: failure.message })
      return this.#tryLater(id, attempts)
    }
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs * attempts))
    this.#waiting.set(id, attempts)
  }

  #tryLater(id: string, attempts: number): void {
    if (this.#later.size >= maxLater) return
    const again = () => {
      this.#ask(id, attempts)
      this.#pump()
    }
    this.#later.set(id, setTimeout(again, Math.min(lastPauseMs, firstPauseMs * 2 ** (attempts - maxAttempts))))
  }
}
