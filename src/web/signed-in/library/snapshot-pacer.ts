import { Signal } from '../../base/state/signal.ts'
import { ChangePace } from './change-pace.ts'
import { emptySnapshot, type LibrarySnapshot } from './library-snapshot.ts'

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

  /** Schedules a snapshot. @param isComplete all is read; before that, users are waiting for the next rows */
  changed(isComplete: boolean): void {
    const now = performance.now()
    const everyMs = isComplete ? this.#pace.count(now) : 0
    const waitMs = Math.max(shortestMs, this.#publishedAt + everyMs - now)
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
