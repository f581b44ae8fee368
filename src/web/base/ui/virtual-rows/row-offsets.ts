/** A row that is not of the usual height. */
export type OddRow = { readonly index: number; readonly height: number }

/**
 * Where the rows of a long list are, in pixels from its top: rows of one height, and others among them. Everything is
 * computed from these others alone, so that a list of any length costs nothing until it is scrolled.
 */
export class RowOffsets {
  readonly count: number
  readonly #rowHeight: number
  readonly #odd: readonly OddRow[]
  /** by how much the first n odd rows are higher than as many usual ones */
  readonly #extra: Float64Array

  /** @param odd the rows of another height, ascending */
  constructor(count: number, rowHeight: number, odd: readonly OddRow[]) {
    this.count = count
    this.#rowHeight = rowHeight
    this.#odd = odd
    this.#extra = new Float64Array(odd.length + 1)
    for (const [at, { height }] of odd.entries()) this.#extra[at + 1] = (this.#extra[at] ?? 0) + height - rowHeight
  }

  /** Height of the whole list. */
  get height(): number {
    return this.top(this.count)
  }

  /** The upper edge of a row; of the row after the last one, the lower edge of the list. */
  top(index: number): number {
    return index * this.#rowHeight + (this.#extra[this.#oddBefore(index)] ?? 0)
  }

  heightOf(index: number): number {
    return this.top(index + 1) - this.top(index)
  }

  /** The row at a height, the first or last one beyond the edges; -1 in an empty list. */
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
   * The rows that a window from `top` on shows, and `overscan` more beyond its edges: from `first` up to, not including,
   * `end`. `first` is even, so that the range changes only at every second row that is scrolled by.
   */
  around(top: number, height: number, overscan: number): { first: number; end: number } {
    const first = Math.max(0, this.indexAt(top) - overscan) & ~1
    return { first, end: Math.min(this.count, this.indexAt(top + height) + 1 + overscan) }
  }

  /**
   * The same, but away from odd rows always with the same number of rows: where elements are recycled, a row that leaves
   * makes room for one that comes.
   */
  steadyAround(top: number, height: number, overscan: number): { first: number; end: number } {
    const { first, end } = this.around(top, height, overscan)
    const usual = first + Math.ceil(height / this.#rowHeight) + 2 * overscan + 2
    // Where many rows are lower than the usual ones, more of them fit.
    return { first, end: Math.min(this.count, Math.max(usual, end)) }
  }

  /** How many odd rows stand before a row. */
  #oddBefore(index: number): number {
    let low = 0
    let high = this.#odd.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#odd[middle]?.index ?? 0) < index) low = middle + 1
      else high = middle
    }
    return low
  }
}
