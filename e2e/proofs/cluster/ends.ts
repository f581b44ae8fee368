/** A stack of cleanups, run from the last to the first. */
export class Ends {
  readonly #ends: (() => unknown)[] = []

  /** Adds a cleanup. */
  add(end: () => unknown): void {
    this.#ends.push(end)
  }

  /** Runs all, in order. */
  async run(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end()
  }
}
