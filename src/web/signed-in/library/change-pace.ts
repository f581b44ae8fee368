/** Up to this many changes a second are shown as they come; more come from something that is done to many files. */
const shownPerSecond = 6
const quickMs = 100
const slowMs = 1_000

/**
 * How often changes of the list are shown: ten times a second, and once a second while a whole folder is being ordered or
 * deleted. Each time the page is laid out and painted again, which would take the processor from the uploads.
 */
export class ChangePace {
  /** a leaky bucket: changes in, `shownPerSecond` out */
  #level = 0
  #at = Number.NEGATIVE_INFINITY

  /** Counts a change. @returns the least time between two showings now, in milliseconds */
  count(nowMs: number): number {
    const drained = ((nowMs - this.#at) / 1_000) * shownPerSecond
    this.#level = Math.max(0, this.#level - drained) + 1
    this.#at = nowMs
    return this.#level > shownPerSecond ? slowMs : quickMs
  }
}
