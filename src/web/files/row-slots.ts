/**
 * Gives each line on screen a number of its own for as long as it is there, and passes the numbers of lines that have
 * gone on to those that come: as keys they make React change a row that is there instead of building another.
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
      if (!this.#taken.has(key)) this.#taken.set(key, this.#free.pop() ?? this.#next++)
    }
    return this.#taken
  }
}
