/**
 * Runs one task for any number of requests: never two runs at once, and a request that comes during a run is answered by
 * one more run after it, together with all others that came meanwhile. For work whose whole state is elsewhere ("read
 * what changed", "claim what is due"), so that one run serves everybody who asked before it began.
 *
 * Stands in the contract because both sides need it; it knows neither Node nor the DOM.
 */
export class CoalescedTask {
  readonly #run: () => Promise<void>
  readonly #onError: (error: unknown) => void
  #running: Promise<void> | null = null
  #isRequested = false
  #isStopped = false

  /** @param onError hears what `run` throws; requests that came meanwhile are still answered */
  constructor(run: () => Promise<void>, onError: (error: unknown) => void) {
    this.#run = run
    this.#onError = onError
  }

  /** Asks for a run that begins after this call. Does nothing once stopped. */
  request(): void {
    this.#isRequested = true
    // Begun in a microtask, so that a run that asks again at once finds `#running` set.
    this.#running ??= Promise.resolve().then(() => this.#runWhileRequested())
  }

  /** Begins no further run; resolves once the run under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  async #runWhileRequested(): Promise<void> {
    while (this.#isRequested && !this.#isStopped) {
      this.#isRequested = false
      try {
        await this.#run()
      } catch (error) {
        this.#onError(error)
      }
    }
    this.#running = null
  }
}
