import { ServiceError } from '../../platform/service-error.ts'

/** Limits per key (decision 16). An account with many keys has `accountFactor` times as much. */
export const rateLimits = {
  read: { perSecond: 100, burst: 400 },
  write: { perSecond: 20, burst: 40 },
} as const
export const uploadsAtOnce = 4
export const accountFactor = 4
const maxBuckets = 10_000

type Bucket = { tokens: number; at: number }
type Kind = keyof typeof rateLimits

/**
 * A token bucket per key, and a count of its active uploads. Hand-written because @fastify/rate-limit uses fixed
 * windows: no bursts, and double the rate across a window boundary.
 */
export class RateLimits {
  readonly #buckets: Record<Kind, Map<string, Bucket>> = { read: new Map(), write: new Map() }
  readonly #uploads = new OpenCount()
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

  /**
   * Takes one token for a key's request, and one of its account.
   * @param accountId undefined for staff
   * @throws ServiceError 429 with Retry-After if there is none
   */
  take(keyId: string, accountId: string | undefined, kind: Kind): void {
    this.#takeOf(keyId, 'with this key', 1, kind)
    if (accountId !== undefined) this.#takeOf(accountId, 'with all keys of this account', accountFactor, kind)
  }

  #takeOf(id: string, ofWhat: string, factor: number, kind: Kind): void {
    const perSecond = this.#share(factor * rateLimits[kind].perSecond)
    const burst = this.#share(factor * rateLimits[kind].burst)
    const buckets = this.#buckets[kind]
    const now = this.#now()
    const bucket = buckets.get(id)
    if (bucket === undefined) {
      // Full buckets need not be stored; with this many keys, clearing all is cheaper than finding those.
      if (buckets.size >= maxBuckets) buckets.clear()
      buckets.set(id, { tokens: burst - 1, at: now })
      return
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond)
    bucket.at = now
    if (bucket.tokens < 1) throw tooMany(`Too many requests ${ofWhat}; slow down.`, (1 - bucket.tokens) / perSecond)
    bucket.tokens -= 1
  }

  /**
   * Counts an upload as started.
   * @returns a function that ends it.
   * @throws ServiceError 429 if the key or its account has too many active
   */
  beginUpload(caller: Holder): () => void {
    const most = accountFactor * uploadsAtOnce
    const end = this.#uploads.begin(caller, this.#share(uploadsAtOnce), this.#share(most))
    if (end === 'key') throw tooMany(`At most ${uploadsAtOnce} uploads at once with one key.`, 5)
    if (end === 'account') throw tooMany(`At most ${most} uploads at once with all keys of an account.`, 5)
    return end
  }
}

type Holder = { keyId: string; account: { id: string } }

/** Counts what is open, by key and by account. */
export class OpenCount {
  readonly #open = new Map<string, number>()

  /** @returns a function that ends it; or whose limit is reached */
  begin({ keyId, account }: Holder, mostOfKey: number, mostOfAccount: number): (() => void) | 'key' | 'account' {
    if (this.#count(keyId) >= mostOfKey) return 'key'
    if (this.#count(account.id) >= mostOfAccount) return 'account'
    const add = (change: number) => {
      for (const id of [keyId, account.id]) this.#set(id, this.#count(id) + change)
    }
    add(1)
    return () => add(-1)
  }

  #count(id: string): number {
    return this.#open.get(id) ?? 0
  }

  #set(id: string, count: number): void {
    if (count > 0) this.#open.set(id, count)
    else this.#open.delete(id)
  }
}

function tooMany(message: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError(429, message, { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) })
}
