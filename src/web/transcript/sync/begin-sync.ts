import { ApiError, type Session } from '../../base/api/client.ts'
import { fetchReviewRevision, openCorrections } from '../../base/api/corrections.ts'
import { retryLoading } from '../../base/ui/load-failure.ts'
import { shortcutKey } from '../../base/ui/shortcut-key.ts'
import { unsentChecksKey } from '../../signed-in/library/correction-database.ts'
import { getLive } from '../../signed-in/library/live.ts'
import type { Desk } from '../desk/desk.ts'
import { isUsedByFocus } from '../desk/page-keys.ts'
import type { Corrections } from '../edit/corrections.ts'
import type { Review } from '../review/review.ts'
import type { ReviewOffer } from '../review/review-offer.ts'
import { CorrectionSync } from './correction-sync.ts'

const loadParts = () => import('../review/review-parts.tsx')

/** Keeps an open transcript in sync with the service. All synchronization is in this one chunk. */
class InStep {
  readonly #session: Session
  readonly #desk: Desk
  readonly #corrections: Corrections
  readonly #onReview: (offer: ReviewOffer) => void
  readonly #sync: CorrectionSync
  readonly #stop = new AbortController()
  #review: Promise<Review> | null = null
  #isNew = false
  #ends: (() => void)[] = []

  constructor(session: Session, desk: Desk, corrections: Corrections, onReview: (offer: ReviewOffer) => void) {
    this.#session = session
    this.#desk = desk
    this.#corrections = corrections
    this.#onReview = onReview
    this.#sync = new CorrectionSync(openCorrections(session, corrections.key[2]), corrections)
  }

  begin(): void {
    const { signal } = this.#stop
    // Preloads the review's code on first interaction, so that it works even if the connection is lost later.
    for (const type of ['keydown', 'pointerdown'] as const) {
      window.addEventListener(type, () => void loadParts().catch(() => undefined), { once: true, signal })
    }
    window.addEventListener('keydown', (event) => this.#onKey(event), { signal })
    this.#ends = [this.#sync.open(), this.#hear()]
    this.#lookForReview()
  }

  end(): void {
    this.#stop.abort()
    for (const end of this.#ends) end()
  }

  /** Opens the review if one exists, else offers to start one. */
  #lookForReview(): void {
    if (this.#review !== null) return
    const { key } = this.#corrections
    if (localStorage.getItem(unsentChecksKey(key)) !== null) return void this.#open()
    fetchReviewRevision(this.#session, key[2]).then(
      (revision) => {
        this.#isNew = revision === 0
        if (revision > 0) void this.#open()
        else this.#offer(null)
      },
      (error: unknown) => {
        // Not if the service does not store reviews.
        if (!(error instanceof ApiError && error.status === 404)) this.#offer(null)
      },
    )
  }

  #offer(review: Review | null): void {
    if (!this.#stop.signal.aborted) this.#onReview({ review, isNew: this.#isNew, open: () => this.#open() })
  }

  #open(): Promise<Review> {
    this.#review ??= this.#load()
    return this.#review
  }

  async #load(): Promise<Review> {
    try {
      const { newReview } = await loadParts().catch(() => retryLoading(loadParts))
      const review = newReview(this.#session, this.#desk, this.#corrections, () => this.#sync.hear(null))
      if (!this.#stop.signal.aborted) this.#ends.push(review.open(this.#isNew))
      this.#offer(review)
      return review
    } catch (error) {
      this.#review = null
      throw error
    }
  }

  /** C checks the turn and goes to the next; Shift-C unchecks it. */
  #onKey(event: KeyboardEvent): void {
    const isOther = shortcutKey(event).toLowerCase() !== 'c' || event.ctrlKey || event.metaKey || event.altKey
    if (isOther || event.defaultPrevented || isUsedByFocus(event)) return
    event.preventDefault()
    const { shiftKey } = event
    const act = async () => {
      const review = await this.#open()
      await review.known
      if (shiftKey) review.uncheck()
      else review.checkAndGoOn()
    }
    act().catch(() => undefined)
  }

  /** Forwards the account's events to both. Returns a function that stops. */
  #hear(): () => void {
    const [, , file] = this.#corrections.key
    const hearReview = (revision: number | null) => {
      if (this.#review === null) this.#lookForReview()
      else void this.#review.then((review) => review.hear(revision))
    }
    const hearAll = () => {
      this.#sync.hear(null)
      hearReview(null)
    }
    const { events } = getLive(this.#session)
    const stops = [
      events.listen((event) => {
        if (event.kind === 'resync') hearAll()
        else if (event.kind === 'corrections' && event.data.id === file) this.#sync.hear(event.data.revision)
        else if (event.kind === 'review' && event.data.id === file) hearReview(event.data.revision)
      }),
      // Events missed while disconnected are not replayed.
      events.state.subscribe(() => {
        if (events.state.get() === 'live') hearAll()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }
}

/** Synchronizes corrections and the review with a service that stores both. Returns a function that stops. */
export function beginSync(
  session: Session,
  desk: Desk,
  corrections: Corrections,
  onReview: (offer: ReviewOffer) => void,
): () => void {
  const inStep = new InStep(session, desk, corrections, onReview)
  inStep.begin()
  return () => inStep.end()
}
