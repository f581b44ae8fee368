import type { Session } from '../../base/api/client.ts'

/**
 * Hints about an account stored in plain text on this device, to speed up the next visit: whether its files are cached,
 * and whether its service offered pages. Nothing of the files themselves; a wrong hint only costs time.
 */
export class LibraryHints {
  readonly #cachedKey: string
  readonly #pagesKey: string

  constructor({ environment, account }: Session) {
    this.#cachedKey = `parley.kept.${environment}.${account}`
    this.#pagesKey = `parley.pages.${environment}.${account}`
  }

  /** Some of the account's files are in this device's cache. */
  get hasCache(): boolean {
    return localStorage.getItem(this.#cachedKey) !== null
  }

  noteCached(): void {
    localStorage.setItem(this.#cachedKey, 'yes')
  }

  /** The service offered metadata in pages when last asked. */
  get hasPages(): boolean {
    return localStorage.getItem(this.#pagesKey) !== null
  }

  notePages(offered: boolean): void {
    if (offered) localStorage.setItem(this.#pagesKey, 'yes')
    else localStorage.removeItem(this.#pagesKey)
  }
}
