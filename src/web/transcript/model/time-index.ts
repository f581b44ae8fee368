import type { WordTable } from './word-table.ts'

/** A word stays the spoken one through a pause this long after its end; in a longer silence none is. Seconds. */
const holdSeconds = 0.6

/**
 * From a time to the word spoken then, by binary search. Words whose times are out of order are looked up in order of
 * time; of words that overlap, the one that began last.
 */
export class TimeIndex {
  readonly #table: WordTable
  /** words by start, or null where the table is in order already */
  readonly #order: Uint32Array | null
  readonly #count: number

  constructor(table: WordTable) {
    this.#table = table
    this.#count = table.count
    this.#order = inOrder(table) ? null : byStart(table)
  }

  #wordAt(rank: number): number {
    return this.#order === null ? rank : (this.#order[rank] ?? 0)
  }

  #start(rank: number): number {
    return this.#table.startOf(this.#wordAt(rank))
  }

  /** How many words have begun at this time. */
  #begun(seconds: number): number {
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#start(middle) <= seconds) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The word spoken at this time, or -1 in silence. */
  spokenAt(seconds: number): number {
    const begun = this.#begun(seconds)
    if (begun === 0) return -1
    const word = this.#wordAt(begun - 1)
    return seconds < this.#table.endOf(word) + holdSeconds ? word : -1
  }

  /** The last word that has begun at this time, the first word before all; -1 only where there are no words. */
  nearest(seconds: number): number {
    if (this.#count === 0) return -1
    return this.#wordAt(Math.max(0, this.#begun(seconds) - 1))
  }

  /** When `spokenAt` next answers differently, Infinity after the last word. */
  nextChange(seconds: number): number {
    const begun = this.#begun(seconds)
    const next = begun < this.#count ? this.#start(begun) : Number.POSITIVE_INFINITY
    if (begun === 0) return next
    const release = this.#table.endOf(this.#wordAt(begun - 1)) + holdSeconds
    return release > seconds ? Math.min(next, release) : next
  }
}

function inOrder(table: WordTable): boolean {
  for (let index = 1; index < table.count; index++) {
    if (table.startOf(index) < table.startOf(index - 1)) return false
  }
  return true
}

function byStart(table: WordTable): Uint32Array {
  const order = Uint32Array.from({ length: table.count }, (_, index) => index)
  return order.sort((a, b) => table.startOf(a) - table.startOf(b) || a - b)
}
