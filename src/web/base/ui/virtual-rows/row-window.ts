import { Signal } from '../../state/signal.ts'
import type { RowOffsets } from './row-offsets.ts'

/** The rows to render: `first` up to, not including, `end`. */
export type RowRange = {
  readonly first: number
  readonly end: number
  /** the window has not been scrolled for a moment */
  readonly isAtRest: boolean
}

export type RowWindowOptions = {
  /** rows beyond the edges of the window that are rendered too, so that a quick scroll finds them there */
  readonly overscan: number
  /** elements of rows are recycled, so that their number should stay the same */
  readonly recycles?: boolean
  /** pixels that other things cover at the edges of the window, which `reveal` keeps clear */
  readonly coveredAbove?: number
  readonly coveredBelow?: number
}

type View = {
  readonly scrollTop: number
  readonly height: number
  /** where the list begins, in pixels from the top of the page */
  readonly listTop: number
  readonly overscan: number
  readonly isAtRest: boolean
}

/** Without overscan until the first rows are on screen, which people wait for. */
const overscanAfterMs = 100
const restAfterMs = 200
/** Until the list is laid out: where it begins on a usual screen. */
const usualListTop = 200

/**
 * Which rows of a virtualised list the browser's window shows, while the window scrolls the list. One for each list that
 * is mounted. It remembers where the window is, since asking the browser during a render would force a layout.
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

  /** Calls back when the window is scrolled or resized. Returns a function that unsubscribes. */
  get subscribe(): (listener: () => void) => () => void {
    return this.#view.subscribe
  }

  /** A function that returns the range of now: the same object until the range changes. */
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

  /** Follows where the list begins. Returns a function that stops. */
  attach(list: HTMLElement): () => void {
    // Whatever comes or goes above the list (a notice, a turned phone) moves it and changes the page's size. The observer
    // is called after layout, so that measuring costs nothing, and before the first frame is painted.
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

  /** Scrolls as little as needed to show a row. */
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
