/** Up to this many changes a second are shown as they arrive; a higher rate comes from bulk actions. */
const shownPerSecond = 6
const quickMs = 100
const slowMs = 1_000

/**
 * How often changes of the list are rendered: ten times a second, or once a second while a whole folder is ordered or
 * deleted. Each render lays out and paints the page, taking processor time from the uploads.
 */
export class ChangePace {
  /** a leaky bucket: changes in, `shownPerSecond` out */
  #level = 0
  #at = Number.NEGATIVE_INFINITY

  /** Counts a change. @returns the current minimum interval between renders, in milliseconds */
  count(nowMs: number): number {
    const drained = ((nowMs - this.#at) / 1_000) * shownPerSecond
    this.#level = Math.max(0, this.#level - drained) + 1
    this.#at = nowMs
    return this.#level > shownPerSecond ? slowMs : quickMs
  }
}
