/**
 * Recycles the elements of rows: gives each row on screen a number as long as it is there, and passes the numbers of
 * rows that have left on to those that come, the one that left first to the first. As keys they make React change an
 * element that exists instead of building another, and where all rows change at once each element stays in its place.
 */
export class RowSlots {
  readonly #slots = new Map<string, number>()
  readonly #free: number[] = []
  #next = 0

  /** @returns the slot of each key, no two the same; valid until the next call */
  assign(keys: readonly string[]): ReadonlyMap<string, number> {
    const wanted = new Set(keys)
    for (const [key, slot] of this.#slots) {
      if (wanted.has(key)) continue
      this.#slots.delete(key)
      this.#free.push(slot)
    }
    for (const key of keys) {
      if (!this.#slots.has(key)) this.#slots.set(key, this.#free.shift() ?? this.#next++)
    }
    return this.#slots
  }
}

/**
 * The order of elements in the document, where CSS places them on screen. An element that moves in the document is laid
 * out and styled again with everything in it, so while the list is scrolled all of them stay where they are.
 */
export class DocumentOrder<Key> {
  #order: readonly Key[] = []

  /**
   * @param keys in reading order
   * @param inReadingOrder the document is to be in that order, which screen readers and text selection follow
   * @returns the same keys: in reading order, or those that were there in their old order and the new ones after them
   */
  arrange(keys: readonly Key[], inReadingOrder: boolean): readonly Key[] {
    const present = new Set(keys)
    const stayed = this.#order.filter((key) => present.has(key))
    const known = new Set(stayed)
    this.#order = inReadingOrder ? keys : [...stayed, ...keys.filter((key) => !known.has(key))]
    return this.#order
  }
}
