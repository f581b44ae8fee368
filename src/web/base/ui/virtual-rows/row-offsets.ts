import { lowerBound } from '../../../../text/lower-bound.ts'

/** A row of nonstandard height. */
export type OddRow = { readonly index: number; readonly height: number }

/**
 * Offsets of the rows of a long list, in pixels from its top: rows of one height, with exceptions. Everything is
 * computed from the exceptions alone, so that a list of any length costs nothing until it is scrolled.
 */
export class RowOffsets {
  readonly count: number
  readonly #rowHeight: number
  readonly #odd: readonly OddRow[]
  /** total extra height of the first n odd rows over standard ones */
  readonly #extra: Float64Array

  /** @param odd the rows of another height, ascending */
  constructor(count: number, rowHeight: number, odd: readonly OddRow[]) {
    this.count = count
    this.#rowHeight = rowHeight
    this.#odd = odd
    this.#extra = new Float64Array(odd.length + 1)
    for (const [at, { height }] of odd.entries()) this.#extra[at + 1] = (this.#extra[at] ?? 0) + height - rowHeight
  }

  /** Total height of the list. */
  get height(): number {
    return this.top(this.count)
  }

  /** Top edge of a row; for the index after the last row, the bottom edge of the list. */
  top(index: number): number {
    return index * this.#rowHeight + (this.#extra[this.#oddBefore(index)] ?? 0)
  }

  heightOf(index: number): number {
    return this.top(index + 1) - this.top(index)
  }

  /** The row at an offset, clamped to the first or last one; -1 in an empty list. */
  indexAt(y: number): number {
    const begun = lowerBound(this.count, (index) => this.top(index) <= y)
    return Math.min(Math.max(0, begun - 1), this.count - 1)
  }

  /**
   * The rows visible in a window starting at `top`, plus `overscan` beyond its edges: from `first` up to, excluding,
   * `end`. `first` is even, so that the range changes only every second row while scrolling.
   */
  around(top: number, height: number, overscan: number): { first: number; end: number } {
    const first = Math.max(0, this.indexAt(top) - overscan) & ~1
    return { first, end: Math.min(this.count, this.indexAt(top + height) + 1 + overscan) }
  }

  /**
   * The same, but with a constant number of rows away from odd ones: when elements are recycled, a leaving row makes
   * room for an entering one.
   */
  steadyAround(top: number, height: number, overscan: number): { first: number; end: number } {
    const { first, end } = this.around(top, height, overscan)
    const usual = first + Math.ceil(height / this.#rowHeight) + 2 * overscan + 2
    // If many rows are lower than standard, more of them fit.
    return { first, end: Math.min(this.count, Math.max(usual, end)) }
  }

  /** The number of odd rows before a row. */
  #oddBefore(index: number): number {
    return lowerBound(this.#odd.length, (at) => (this.#odd[at]?.index ?? 0) < index)
  }
}
