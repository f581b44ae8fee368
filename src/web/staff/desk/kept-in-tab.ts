import type { HeldPart } from '../../base/api/work.ts'

/**
 * Lines that survive a reload of the tab; after the part is taken again, the list starts empty. If the browser cannot
 * store them, they last as long as the page.
 */
export class KeptInTab {
  readonly #key: string
  #lines: readonly string[]

  /** @param what kind of lines, as in the storage key */
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
