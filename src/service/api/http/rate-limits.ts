import { ServiceError } from '../../platform/service-error.ts'

/** Limits per key (decision 16). */
const limits = {
  read: { perSecond: 100, burst: 400 },
  write: { perSecond: 20, burst: 40 },
} as const
const uploadsAtOnce = 4
const maxBuckets = 10_000

type Bucket = { tokens: number; at: number }
type Kind = keyof typeof limits

/**
 * A token bucket per key, and a count of its active uploads. Hand-written because @fastify/rate-limit uses fixed
 * windows: no bursts, and double the rate across a window boundary.
 */
export class RateLimits {
  readonly #buckets: Record<Kind, Map<string, Bucket>> = { read: new Map(), write: new Map() }
  readonly #uploads = new Map<string, number>()
  readonly #now: () => number
  readonly #nodes: { readonly answering: number }

  /**
   * @param nodes how many processes share a key's requests
   * @param now a monotonic clock in milliseconds
   */
  constructor(nodes: { readonly answering: number } = { answering: 1 }, now: () => number = () => performance.now()) {
    this.#nodes = nodes
    this.#now = now
  }

  /** This process's share of a limit: double an even split, as keep-alive connections stick to one node. */
  #share(limit: number): number {
    return Math.max(1, Math.min(limit, (limit * 2) / this.#nodes.answering))
  }

  /** Takes one token for a key's request. @throws ServiceError 429 with Retry-After if there is none */
  take(keyId: string, kind: Kind): void {
    const perSecond = this.#share(limits[kind].perSecond)
    const burst = this.#share(limits[kind].burst)
    const buckets = this.#buckets[kind]
    const now = this.#now()
    const bucket = buckets.get(keyId)
    if (bucket === undefined) {
      // Full buckets need not be stored; with this many keys, clearing all is cheaper than finding those.
      if (buckets.size >= maxBuckets) buckets.clear()
      buckets.set(keyId, { tokens: burst - 1, at: now })
      return
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond)
    bucket.at = now
    if (bucket.tokens < 1) throw tooMany('Too many requests with this key; slow down.', (1 - bucket.tokens) / perSecond)
    bucket.tokens -= 1
  }

  /**
   * Counts an upload as started.
   * @returns a function that ends it.
   * @throws ServiceError 429 if the key has too many active
   */
  beginUpload(keyId: string): () => void {
    const underWay = this.#uploads.get(keyId) ?? 0
    if (underWay >= this.#share(uploadsAtOnce))
      throw tooMany(`At most ${uploadsAtOnce} uploads at once with one key.`, 5)
    this.#uploads.set(keyId, underWay + 1)
    return () => {
      const left = (this.#uploads.get(keyId) ?? 1) - 1
      if (left > 0) this.#uploads.set(keyId, left)
      else this.#uploads.delete(keyId)
    }
  }
}

function tooMany(message: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError(429, message, { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) })
}
