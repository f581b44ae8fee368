import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** What to end in order, from the last to the first; and what nobody may leave behind, even if nothing is ended in order. */
export class Ends {
  readonly #ends: (() => unknown)[] = []
  readonly #cleaner = spawn(process.execPath, [join(import.meta.dirname, 'clean-up.ts')], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  })

  constructor() {
    this.#cleaner.unref()
  }

  /** Ends this in its turn. */
  add(end: () => unknown): void {
    this.#ends.push(end)
  }

  /** When this process is gone, removes this directory, and ends first whoever names it in a command line. */
  leaveNothingOf(directory: string): void {
    this.#cleaner.stdin.write(`${directory}\n`)
  }

  /** Ends all, in order. */
  async run(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end()
    // Nothing is left to be ended, and nobody is to look for it.
    this.#cleaner.stdin.end('done\n')
  }
}
