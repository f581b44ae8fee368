/**
 * Coalesces any number of requests into runs of one task: never two runs at once, and all requests that arrive during a
 * run share one more run after it. For work whose state is elsewhere ("read what changed", "claim what is due"), so
 * that one run serves all requests made before it began.
 *
 * In the contract because both sides need it; it depends on neither Node nor the DOM.
 */
export class CoalescedTask {
  readonly #run: () => Promise<void>
  readonly #onError: (error: unknown) => void
  #running: Promise<void> | null = null
  #isRequested = false
  #isStopped = false

  /** @param onError called with what `run` throws; requests that came in the meantime still get a run */
  constructor(run: () => Promise<void>, onError: (error: unknown) => void) {
    this.#run = run
    this.#onError = onError
  }

  /** Requests a run that begins after this call. Does nothing once stopped. */
  request(): void {
    this.#isRequested = true
    // Starts in a microtask, so that a run that requests again synchronously finds `#running` set.
    this.#running ??= Promise.resolve().then(() => this.#runWhileRequested())
  }

  /** Starts no further run; resolves once the current run has ended. */
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
