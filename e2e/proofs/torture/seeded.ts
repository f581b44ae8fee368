import { randomNumbers } from '../bench/search-corpus.ts'

/** Random choices, reproducible by seed. */
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
