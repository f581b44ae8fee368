/** Limits concurrency per key: a semaphore for each; the rest queue. */
export class Turns {
  readonly #atOnce: number
  readonly #busy = new Map<string, number>()
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Runs `work` when it is its turn. @throws the reason of `signal`, which ends the wait; what `work` throws */
  async take<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    while ((this.#busy.get(key) ?? 0) >= this.#atOnce) await this.#wait(key, signal)
    this.#busy.set(key, (this.#busy.get(key) ?? 0) + 1)
    try {
      return await work()
    } finally {
      const left = (this.#busy.get(key) ?? 1) - 1
      if (left === 0) this.#busy.delete(key)
      else this.#busy.set(key, left)
      for (const wake of this.#waiting.get(key) ?? []) wake()
    }
  }

  async #wait(key: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => resolve()
    const waiting = this.#waiting.get(key) ?? new Set()
    this.#waiting.set(key, waiting.add(wake))
    signal.addEventListener('abort', wake)
    await promise
    signal.removeEventListener('abort', wake)
    waiting.delete(wake)
    if (waiting.size === 0) this.#waiting.delete(key)
    signal.throwIfAborted()
  }
}
