import { ServiceError } from '../service-error.ts'

/**
 * The minimum mean speed of a download, enforced from `firstMs` on; an hour of telephone quality then takes 48 minutes.
 */
const leastBytesPerSecond = 10_000

/** Aborts a download that is too slow, counting redirects and waits. */
export class SpeedWatch {
  bytes = 0
  readonly #startedAt = performance.now()
  readonly #stop = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor(firstMs: number) {
    this.#timer = setInterval(() => this.#check(firstMs), Math.min(firstMs, 5_000)).unref()
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #check(firstMs: number): void {
    const ms = performance.now() - this.#startedAt
    if (ms < firstMs || this.bytes >= (leastBytesPerSecond * ms) / 1_000) return
    const least = `${leastBytesPerSecond / 1_000} kB per second`
    const message = `The link sends too slowly: on average less than ${least}. Nothing was charged.`
    this.#stop.abort(new ServiceError(400, message))
  }
}
