import { lowerBound } from '../../../text/lower-bound.ts'
import type { WordTable } from './word-table.ts'

/** How long a word counts as spoken after its end if no other begins; after that there is silence. Seconds. */
const holdSeconds = 0.6

/**
 * Finds the word spoken at a time by binary search. Words with times out of order are sorted; of overlapping words, the
 * one that began last wins.
 */
export class TimeIndex {
  readonly #table: WordTable
  /** words sorted by start; null if the table is already sorted */
  readonly #order: Uint32Array | null
  readonly #count: number

  constructor(table: WordTable) {
    this.#table = table
    this.#count = table.count
    this.#order = isSorted(table) ? null : sortByStart(table)
  }

  #wordAt(rank: number): number {
    return this.#order === null ? rank : (this.#order[rank] ?? 0)
  }

  #start(rank: number): number {
    return this.#table.startOf(this.#wordAt(rank))
  }

  /** The number of words that have begun by this time. */
  #countBegun(seconds: number): number {
    return lowerBound(this.#count, (rank) => this.#start(rank) <= seconds)
  }

  /** The word spoken at this time; -1 in silence. */
  spokenAt(seconds: number): number {
    const begun = this.#countBegun(seconds)
    if (begun === 0) return -1
    const word = this.#wordAt(begun - 1)
    return seconds < this.#table.endOf(word) + holdSeconds ? word : -1
  }

  /** The last word that has begun by this time, else the first word; -1 only if there are no words. */
  nearest(seconds: number): number {
    if (this.#count === 0) return -1
    return this.#wordAt(Math.max(0, this.#countBegun(seconds) - 1))
  }

  /** When the result of `spokenAt` will next change; Infinity after the last word. */
  nextChange(seconds: number): number {
    const begun = this.#countBegun(seconds)
    const next = begun < this.#count ? this.#start(begun) : Number.POSITIVE_INFINITY
    if (begun === 0) return next
    const release = this.#table.endOf(this.#wordAt(begun - 1)) + holdSeconds
    return release > seconds ? Math.min(next, release) : next
  }
}

function isSorted(table: WordTable): boolean {
  for (let index = 1; index < table.count; index++) {
    if (table.startOf(index) < table.startOf(index - 1)) return false
  }
  return true
}

function sortByStart(table: WordTable): Uint32Array {
  const order = Uint32Array.from({ length: table.count }, (_, index) => index)
  return order.sort((a, b) => table.startOf(a) - table.startOf(b) || a - b)
}
