/** An iterator with lookahead; it pulls no more items than were looked at. */
export class Ahead<Item> {
  readonly #source: Iterator<Item>
  readonly #waiting: Item[] = []

  constructor(source: Iterable<Item>) {
    this.#source = source[Symbol.iterator]()
  }

  /** True if at least `count` items follow the next one. */
  has(count: number): boolean {
    while (this.#waiting.length <= count) {
      const { done, value } = this.#source.next()
      if (done === true) return false
      this.#waiting.push(value)
    }
    return true
  }

  /** @throws if there is none: call `has(0)` first */
  next(): Item {
    if (!this.has(0)) throw new Error('there is no next item')
    return this.#waiting.shift() as Item
  }
}
