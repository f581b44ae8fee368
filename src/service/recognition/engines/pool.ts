import { addAbortListener } from 'node:events'
import pLimit, { type LimitFunction } from 'p-limit'
import { inTurn } from '../../platform/net/in-turn.ts'

/** A process that works on one thing at a time, and may crash. */
type Worker = { alive: boolean; kill(): void }

/** Idle workers are ended after this long, so that an idle service holds no model in memory. */
const idleMs = 60_000

/** Up to `size` workers, started when needed, assigned in the order of requests, replaced when they have died. */
export class Pool<W extends Worker> {
  readonly #limit: LimitFunction
  readonly #start: (signal: AbortSignal) => Promise<W>
  readonly #idle: W[] = []
  readonly #busy = new Set<W>()
  #idleTimer: NodeJS.Timeout | null = null
  #closed = false

  /** @param start its signal is that of the work which needs the worker */
  constructor(size: number, start: (signal: AbortSignal) => Promise<W>) {
    this.#limit = pLimit(size)
    this.#start = start
  }

  /**
   * Runs `work` with a worker of its own, which an abort kills: native code cannot be interrupted, and its end makes
   * `work` fail.
   * @throws AbortError if `signal` is aborted
   */
  use<T>(signal: AbortSignal, work: (worker: W) => Promise<T>): Promise<T> {
    return inTurn(this.#limit, signal, () => this.#useOne(signal, work))
  }

  /** Ends all workers, busy ones too. */
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
      // A worker that was still starting when the pool was closed must not outlive it.
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
