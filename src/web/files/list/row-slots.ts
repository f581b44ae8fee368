/**
 * Gives each line on screen a number of its own for as long as it is there, and passes the numbers of lines that have
 * gone on to those that come, the first that went first: as keys they make React change a row that is there instead of
 * building another, and where all rows change at once each stays in its place.
 */
export class RowSlots {
  readonly #taken = new Map<string, number>()
  readonly #free: number[] = []
  #next = 0

  /** @returns the slot of each key, no two the same; good until the next call */
  assign(keys: readonly string[]): ReadonlyMap<string, number> {
    const wanted = new Set(keys)
    for (const [key, slot] of this.#taken) {
      if (wanted.has(key)) continue
      this.#taken.delete(key)
      this.#free.push(slot)
    }
    for (const key of keys) {
      if (!this.#taken.has(key)) this.#taken.set(key, this.#free.shift() ?? this.#next++)
    }
    return this.#taken
  }
}

/**
 * The order in which the document holds what stands elsewhere on screen. An element that changes its place in the
 * document is laid out and styled anew with all it holds, so while the list scrolls everything stays where it is.
 */
export class DocumentOrder<Key> {
  #order: readonly Key[] = []

  /**
   * @param keys in the order they are read in
   * @param asRead the document is to hold them so, which screen readers and the selection of text follow
   * @returns the same keys: as read, or those that were there in their order and the new ones behind them
   */
  arrange(keys: readonly Key[], asRead: boolean): readonly Key[] {
    const present = new Set(keys)
    const stayed = this.#order.filter((key) => present.has(key))
    const known = new Set(stayed)
    this.#order = asRead ? keys : [...stayed, ...keys.filter((key) => !known.has(key))]
    return this.#order
  }
}
