import { addAbortListener } from 'node:events'
import pLimit, { type LimitFunction } from 'p-limit'

/**
 * Runs `work` under a concurrency limit.
 * @throws the reason of `signal`, which ends the wait but not the work; what `work` throws
 */
export async function inTurn<Result>(
  limit: LimitFunction,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  let isBegun = false
  const done = limit(() => {
    signal.throwIfAborted()
    isBegun = true
    return work()
  })
  using _ = addAbortListener(signal, () => {
    if (!isBegun) aborted.reject(signal.reason)
  })
  return await Promise.race([done, aborted.promise])
}

/** Limits concurrency per key. */
export class KeyedLimit {
  readonly #atOnce: number
  readonly #limits = new Map<string, LimitFunction>()

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** @throws as `inTurn` */
  run<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    for (const [other, { activeCount, pendingCount }] of this.#limits) {
      if (activeCount + pendingCount === 0) this.#limits.delete(other)
    }
    const limit = this.#limits.get(key) ?? pLimit(this.#atOnce)
    this.#limits.set(key, limit)
    return inTurn(limit, signal, work)
  }
}
