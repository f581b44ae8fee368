import type { Session } from '../api/client.ts'

/**
 * What this device remembers of an account in the open: whether its files were kept here, and whether its service gave
 * them in pages. Nothing of the files themselves.
 */
export class LibraryMarks {
  readonly #scope: string

  constructor({ environment, account }: Session) {
    this.#scope = `${environment}.${account}`
  }

  /** Something of the account's files was kept on this device. */
  get kept(): boolean {
    return localStorage.getItem(`parley.kept.${this.#scope}`) !== null
  }

  noteKept(): void {
    localStorage.setItem(`parley.kept.${this.#scope}`, 'yes')
  }

  /** The service gave metadata in pages when it was last asked. */
  get pages(): boolean {
    return localStorage.getItem(`parley.pages.${this.#scope}`) !== null
  }

  notePages(given: boolean): void {
    if (given) localStorage.setItem(`parley.pages.${this.#scope}`, 'yes')
    else localStorage.removeItem(`parley.pages.${this.#scope}`)
  }
}
