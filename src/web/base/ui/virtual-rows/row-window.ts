import { Signal } from '../../state/signal.ts'
import type { RowOffsets } from './row-offsets.ts'

/** The rows to render: `first` up to, excluding, `end`. */
export type RowRange = {
  readonly first: number
  readonly end: number
  /** the window has not been scrolled for a moment */
  readonly isAtRest: boolean
}

export type RowWindowOptions = {
  /** rows rendered beyond the edges of the window, ready for a quick scroll */
  readonly overscan: number
  /** row elements are recycled, so their number should stay constant */
  readonly recycles?: boolean
  /** pixels covered by other elements at the edges of the window, which `reveal` keeps clear */
  readonly coveredAbove?: number
  readonly coveredBelow?: number
}

type View = {
  readonly scrollTop: number
  readonly height: number
  /** top of the list, in pixels from the top of the page */
  readonly listTop: number
  readonly overscan: number
  readonly isAtRest: boolean
}

/** No overscan until the first rows are on screen, to show them sooner. */
const overscanAfterMs = 100
/** A list that has not been scrolled for this long is at rest. */
export const restAfterMs = 200
/** Estimated top of the list, until layout. */
const usualListTop = 200

/**
 * Tracks which rows of a virtualized list are visible in the browser window, which scrolls it. One per mounted list.
 * Caches the scroll position, since reading it during a render would force a layout.
 */
export class RowWindow {
  readonly #options: RowWindowOptions
  readonly #view: Signal<View>

  constructor(options: RowWindowOptions) {
    this.#options = options
    this.#view = new Signal<View>(
      { scrollTop: window.scrollY, height: window.innerHeight, listTop: usualListTop, overscan: 0, isAtRest: true },
      () => this.#listen(),
    )
  }

  /** Calls the listener when the window is scrolled or resized. Returns an unsubscribe function. */
  get subscribe(): (listener: () => void) => () => void {
    return this.#view.subscribe
  }

  /** Returns a function that returns the current range: the same object until the range changes. */
  rangeOf(offsets: RowOffsets): () => RowRange {
    let last: RowRange = { first: 0, end: 0, isAtRest: true }
    return () => {
      const { scrollTop, height, listTop, overscan, isAtRest } = this.#view.get()
      const top = scrollTop - listTop
      const { first, end } = this.#options.recycles
        ? offsets.steadyAround(top, height, overscan)
        : offsets.around(top, height, overscan)
      if (first !== last.first || end !== last.end || isAtRest !== last.isAtRest) last = { first, end, isAtRest }
      return last
    }
  }

  /** Observes the top of the list. Returns a function that stops. */
  attach(list: HTMLElement): () => void {
    // Content appearing or disappearing above the list (a notice, a rotated phone) moves it and resizes the page. The
    // observer runs after layout, so that measuring costs nothing, and before the first frame is painted.
    const observer = new ResizeObserver(() => {
      this.#update({ listTop: list.getBoundingClientRect().top + window.scrollY })
    })
    observer.observe(document.body)
    const { overscan } = this.#options
    const timer = setTimeout(() => this.#update({ overscan }), overscanAfterMs)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
  }

  /** Scrolls the minimum needed to show a row. */
  reveal(offsets: RowOffsets, index: number): void {
    const { coveredAbove = 0, coveredBelow = 0 } = this.#options
    const top = this.#view.get().listTop + offsets.top(index)
    const bottom = top + offsets.heightOf(index)
    if (top < window.scrollY + coveredAbove) window.scrollTo({ top: top - coveredAbove })
    else if (bottom > window.scrollY + window.innerHeight - coveredBelow) {
      window.scrollTo({ top: bottom - window.innerHeight + coveredBelow })
    }
  }

  #update(change: Partial<View>): void {
    this.#view.set({ ...this.#view.get(), ...change, scrollTop: window.scrollY, height: window.innerHeight })
  }

  #listen(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined
    const onScroll = () => {
      clearTimeout(timer)
      timer = setTimeout(() => this.#update({ isAtRest: true }), restAfterMs)
      this.#update({ isAtRest: false })
    }
    const onResize = () => this.#update({})
    window.addEventListener('scroll', onScroll, { passive: true })
    window.addEventListener('resize', onResize)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('scroll', onScroll)
      window.removeEventListener('resize', onResize)
    }
  }
}
