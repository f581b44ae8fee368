/** What to end in order, from the last to the first. */
export class Ends {
  readonly #ends: (() => unknown)[] = []

  /** Ends this in its turn. */
  add(end: () => unknown): void {
    this.#ends.push(end)
  }

  /** Ends all, in order. */
  async run(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end()
  }
}
