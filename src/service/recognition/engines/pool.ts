import { addAbortListener } from 'node:events'
import pLimit, { type LimitFunction } from 'p-limit'
import { inTurn } from '../../platform/net/in-turn.ts'

/** A process that handles one request at a time, and may crash. */
type Worker = { alive: boolean; kill(): void }

/** Idle timeout of workers, so that an idle service holds no model in memory. */
const idleMs = 60_000

/** Pool of up to `size` workers, started on demand, assigned first come, first served, replaced when they die. */
export class Pool<W extends Worker> {
  readonly #limit: LimitFunction
  readonly #start: (signal: AbortSignal) => Promise<W>
  readonly #idle: W[] = []
  readonly #busy = new Set<W>()
  #idleTimer: NodeJS.Timeout | null = null
  #closed = false

  /** @param start receives the signal of the work that needs the worker */
  constructor(size: number, start: (signal: AbortSignal) => Promise<W>) {
    this.#limit = pLimit(size)
    this.#start = start
  }

  /**
   * Runs `work` with an exclusive worker. An abort kills the worker, since native code cannot be interrupted; that
   * makes `work` fail.
   * @throws AbortError if `signal` is aborted
   */
  use<T>(signal: AbortSignal, work: (worker: W) => Promise<T>): Promise<T> {
    return inTurn(this.#limit, signal, () => this.#useOne(signal, work))
  }

  /** Stops all workers, including busy ones. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    for (const worker of [...this.#idle.splice(0), ...this.#busy]) worker.kill()
  }

  async #useOne<T>(signal: AbortSignal, work: (worker: W) => Promise<T>): Promise<T> {
    let worker: W | null = null
    try {
      worker = this.#idle.pop() ?? (await this.#start(signal))
      this.#busy.add(worker)
      signal.throwIfAborted()
      using _ = addAbortListener(signal, () => worker?.kill())
      return await work(worker)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      if (worker !== null) this.#busy.delete(worker)
      // A worker still starting when the pool is closed must not outlive it.
      if (this.#closed) worker?.kill()
      else if (worker?.alive === true) this.#idle.push(worker)
      this.#letGoLater()
    }
  }

  #letGoLater(): void {
    if (this.#closed) return
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => {
      for (const worker of this.#idle.splice(0)) worker.kill()
    }, idleMs).unref()
  }
}
