import { addAbortListener } from 'node:events'

/** A process that works on one thing at a time, and may crash. */
type Worker = { alive: boolean; kill(): void }

/** Idle workers are ended after this long, so that an idle service holds no model in memory. */
const idleMs = 60_000

/** Up to `size` workers, started when needed, assigned in the order of requests, replaced when they have died. */
export class Pool<W extends Worker> {
  readonly #size: number
  readonly #start: (signal: AbortSignal) => Promise<W>
  readonly #idle: W[] = []
  readonly #busy = new Set<W>()
  readonly #waiting: (() => void)[] = []
  #inUse = 0
  #idleTimer: NodeJS.Timeout | null = null
  #closed = false

  /** @param start its signal is that of the work which needs the worker */
  constructor(size: number, start: (signal: AbortSignal) => Promise<W>) {
    this.#size = size
    this.#start = start
  }

  /**
   * Runs `work` with a worker of its own, which an abort kills: native code cannot be interrupted, and its end makes
   * `work` fail.
   * @throws AbortError if `signal` is aborted
   */
  async use<T>(signal: AbortSignal, work: (worker: W) => Promise<T>): Promise<T> {
    await this.#turn(signal)
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
      this.#inUse -= 1
      this.#waiting.shift()?.()
      this.#letGoLater()
    }
  }

  /** Ends all workers, busy ones too. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    for (const worker of [...this.#idle.splice(0), ...this.#busy]) worker.kill()
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    while (this.#inUse >= this.#size) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting.push(resolve)
      using _ = addAbortListener(signal, () => resolve())
      await promise
      if (!signal.aborted) continue
      const at = this.#waiting.indexOf(resolve)
      // Got a worker and was aborted at the same moment: the worker goes to the next.
      if (at >= 0) this.#waiting.splice(at, 1)
      else this.#waiting.shift()?.()
      signal.throwIfAborted()
    }
    this.#inUse += 1
  }

  #letGoLater(): void {
    if (this.#closed) return
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => {
      for (const worker of this.#idle.splice(0)) worker.kill()
    }, idleMs).unref()
  }
}
