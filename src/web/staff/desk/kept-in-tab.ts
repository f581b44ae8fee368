import type { HeldPart } from '../../base/api/work.ts'

/**
 * Lines that a reload of the tab keeps; whoever takes the part next begins with none. Where the browser keeps nothing they last
 * as long as the page.
 */
export class KeptInTab {
  readonly #key: string
  #lines: readonly string[]

  /** @param what of the part, as in the store's key */
  constructor(what: string, { part, claim }: HeldPart) {
    this.#key = `parley.${what}.${part}.${claim}`
    this.#lines = this.#read()
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  set(lines: readonly string[]): void {
    this.#lines = lines
    try {
      sessionStorage.setItem(this.#key, lines.join('\n'))
    } catch {
      // See above.
    }
  }

  #read(): readonly string[] {
    try {
      return (sessionStorage.getItem(this.#key) ?? '').split('\n').filter((line) => line !== '')
    } catch {
      return []
    }
  }
}
