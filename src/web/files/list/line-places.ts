/**
 * Where the lines of a list stand: files of one height, days of another. All is computed from the places of the days,
 * so that a list of any length costs nothing until it is looked at. Lengths in pixels from the top of the list.
 */
export class LinePlaces {
  readonly count: number
  readonly #days: readonly number[]
  readonly #fileHeight: number
  readonly #dayHeight: number

  /** @param days indexes of the lines that are days, ascending */
  constructor(count: number, days: readonly number[], fileHeight: number, dayHeight: number) {
    this.count = count
    this.#days = days
    this.#fileHeight = fileHeight
    this.#dayHeight = dayHeight
  }

  get height(): number {
    return this.top(this.count)
  }

  /** The upper edge of a line; of the line after the last one, the lower edge of the list. */
  top(index: number): number {
    const days = this.#daysBefore(index)
    return (index - days) * this.#fileHeight + days * this.#dayHeight
  }

  heightOf(index: number): number {
    return this.top(index + 1) - this.top(index)
  }

  /** The line at a height, the first or last one beyond the edges; -1 in an empty list. */
  indexAt(y: number): number {
    let low = 0
    let high = this.count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.top(middle) <= y) low = middle
      else high = middle - 1
    }
    return Math.min(low, this.count - 1)
  }

  /**
   * The lines that a window from `top` on shows, and `ahead` more beyond its edges: from `first` up to, not including,
   * `end`. Away from days always as many, so that a line that goes makes place for one that comes; `first` is even, so
   * that they change at every other line that scrolls by.
   */
  around(top: number, height: number, ahead: number): { first: number; end: number } {
    const first = Math.max(0, this.indexAt(top) - ahead) & ~1
    const asMany = first + Math.ceil(height / this.#fileHeight) + 2 * ahead + 2
    // Days are lower than files: where there are many, more lines fit.
    const asNeeded = this.indexAt(top + height) + 1 + ahead
    return { first, end: Math.min(this.count, Math.max(asMany, asNeeded)) }
  }

  #daysBefore(index: number): number {
    let low = 0
    let high = this.#days.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#days[middle] ?? 0) < index) low = middle + 1
      else high = middle
    }
    return low
  }
}
