import { Signal } from '../../base/state/signal.ts'
import { emptySnapshot, type LibrarySnapshot } from './library-snapshot.ts'

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

/** At most once a frame. */
const shortestMs = 16

/** Publishes the library's snapshot shortly after a change, batching changes in the meantime. */
export class SnapshotPacer {
  readonly snapshot = new Signal<LibrarySnapshot>(emptySnapshot)
  readonly #take: () => LibrarySnapshot
  readonly #pace = new ChangePace()
  #timer: ReturnType<typeof setTimeout> | undefined
  #publishedAt = Number.NEGATIVE_INFINITY

  constructor(take: () => LibrarySnapshot) {
    this.#take = take
  }

  /** Schedules a snapshot. @param everyMs minimum interval, in milliseconds; null: by the rate of changes */
  changed(everyMs: number | null): void {
    const now = performance.now()
    const intervalMs = everyMs ?? this.#pace.count(now)
    const waitMs = Math.max(shortestMs, this.#publishedAt + intervalMs - now)
    this.#timer ??= setTimeout(() => this.publish(), waitMs)
  }

  /** Publishes immediately. */
  publish(): void {
    this.stop()
    this.#publishedAt = performance.now()
    this.snapshot.set(this.#take())
  }

  /** Publishes nothing more until the next change. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
