import { randomNumbers } from '../bench/search-corpus.ts'

/** Random choices that are the same each time for one seed. */
export class Seeded {
  readonly next: () => number

  constructor(seed: number) {
    this.next = randomNumbers(seed)
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  any<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.next() * values.length)] as Value
  }
}
