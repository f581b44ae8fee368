/**
 * Heights of all blocks and where each begins, in pixels, as a Fenwick tree: a changed height and a look-up either way
 * take log n steps, so that measuring never walks over thousands of blocks.
 */
export class Heights {
  readonly count: number
  readonly #heights: Float64Array
  readonly #tree: Float64Array
  readonly #top: number

  constructor(heights: Float64Array) {
    this.count = heights.length
    this.#heights = heights
    this.#tree = new Float64Array(this.count + 1)
    for (let index = 1; index <= this.count; index++) {
      this.#tree[index] = (this.#tree[index] ?? 0) + (heights[index - 1] ?? 0)
      const parent = index + (index & -index)
      if (parent <= this.count) this.#tree[parent] = (this.#tree[parent] ?? 0) + (this.#tree[index] ?? 0)
    }
    this.#top = this.count === 0 ? 0 : 2 ** Math.floor(Math.log2(this.count))
  }

  get total(): number {
    return this.topOf(this.count)
  }

  heightOf(block: number): number {
    return this.#heights[block] ?? 0
  }

  set(block: number, height: number): void {
    const change = height - this.heightOf(block)
    if (change === 0) return
    this.#heights[block] = height
    for (let index = block + 1; index <= this.count; index += index & -index) {
      this.#tree[index] = (this.#tree[index] ?? 0) + change
    }
  }

  /** Sum of the heights before this block. */
  topOf(block: number): number {
    let sum = 0
    for (let index = Math.min(block, this.count); index > 0; index -= index & -index) sum += this.#tree[index] ?? 0
    return sum
  }

  /** The block at this height from the top; the first above all, the last below all. */
  blockAt(pixels: number): number {
    let index = 0
    let left = pixels
    for (let step = this.#top; step > 0; step >>= 1) {
      const next = index + step
      if (next <= this.count && (this.#tree[next] ?? 0) <= left) {
        index = next
        left -= this.#tree[next] ?? 0
      }
    }
    return Math.max(0, Math.min(index, this.count - 1))
  }
}
