/**
 * Recycles row elements: assigns each row on screen a slot while it is there, and reassigns the slots of rows that have
 * left to those that enter, first to first. Used as keys, slots make React update an existing element instead of
 * creating one, and if all rows change at once each element stays in place.
 */
export class RowSlots {
  readonly #slots = new Map<string, number>()
  readonly #free: number[] = []
  #next = 0

  /** @returns the slot of each key, all distinct; valid until the next call */
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
 * The order of elements in the document, while CSS positions them on screen. Moving an element in the document restyles
 * and lays out its whole subtree, so during scrolling all of them stay put.
 */
export class DocumentOrder<Key> {
  #order: readonly Key[] = []

  /**
   * @param keys in reading order
   * @param inReadingOrder use that order in the document, as screen readers and text selection follow it
   * @returns the same keys: in reading order, or existing ones in their previous order followed by the new ones
   */
  arrange(keys: readonly Key[], inReadingOrder: boolean): readonly Key[] {
    const present = new Set(keys)
    const stayed = this.#order.filter((key) => present.has(key))
    const known = new Set(stayed)
    this.#order = inReadingOrder ? keys : [...stayed, ...keys.filter((key) => !known.has(key))]
    return this.#order
  }
}
