/**
 * Heights and positions of all blocks, in pixels, as a Fenwick tree: changing a height and looking up a position in
 * either direction take O(log n), so that measuring a block never iterates over thousands of others.
 */
export class Heights {
  readonly count: number
  readonly #heights: Float64Array
  /** entry `index` is the sum of the `index & -index` heights before block `index` */
  readonly #sums: Float64Array
  readonly #topStep: number

  constructor(heights: Float64Array) {
    this.count = heights.length
    this.#heights = heights
    this.#sums = new Float64Array(this.count + 1)
    for (let index = 1; index <= this.count; index++) {
      this.#add(index, this.heightOf(index - 1))
      const parent = index + (index & -index)
      if (parent <= this.count) this.#add(parent, this.#sumAt(index))
    }
    this.#topStep = this.count === 0 ? 0 : 2 ** Math.floor(Math.log2(this.count))
  }

  #sumAt(index: number): number {
    return this.#sums[index] ?? 0
  }

  #add(index: number, height: number): void {
    this.#sums[index] = this.#sumAt(index) + height
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
    for (let index = block + 1; index <= this.count; index += index & -index) this.#add(index, change)
  }

  /** Sum of the heights before this block. */
  topOf(block: number): number {
    let sum = 0
    for (let index = Math.min(block, this.count); index > 0; index -= index & -index) sum += this.#sumAt(index)
    return sum
  }

  /** The block at this distance from the top; clamped to the first and the last. */
  blockAt(pixels: number): number {
    let index = 0
    let left = pixels
    for (let step = this.#topStep; step > 0; step >>= 1) {
      const next = index + step
      if (next <= this.count && this.#sumAt(next) <= left) {
        index = next
        left -= this.#sumAt(next)
      }
    }
    return Math.max(0, Math.min(index, this.count - 1))
  }
}
