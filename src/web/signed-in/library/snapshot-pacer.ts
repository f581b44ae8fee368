import { Signal } from '../../base/state/signal.ts'
import { ChangePace } from './change-pace.ts'
import { emptySnapshot, type LibrarySnapshot } from './library-snapshot.ts'

/** At most once a frame. */
const shortestMs = 16

/** Publishes the library's snapshot a moment after a change, once for all changes that come meanwhile. */
export class SnapshotPacer {
  readonly snapshot = new Signal<LibrarySnapshot>(emptySnapshot)
  readonly #take: () => LibrarySnapshot
  readonly #pace = new ChangePace()
  #timer: ReturnType<typeof setTimeout> | undefined
  #publishedAt = Number.NEGATIVE_INFINITY

  constructor(take: () => LibrarySnapshot) {
    this.#take = take
  }

  /** Something changed. @param isComplete all is read; before that the next rows are what people wait for */
  changed(isComplete: boolean): void {
    const now = performance.now()
    const everyMs = isComplete ? this.#pace.count(now) : 0
    const waitMs = Math.max(shortestMs, this.#publishedAt + everyMs - now)
    this.#timer ??= setTimeout(() => this.publish(), waitMs)
  }

  /** Publishes at once. */
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
