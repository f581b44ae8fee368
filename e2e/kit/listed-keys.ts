import { expect, type Page } from '@playwright/test'

/** Presses what the desk's list of keys says, counts the presses, and checks that the focus is never lost. */
export class ListedKeys {
  presses = 0
  readonly #page: Page
  readonly #chords = new Map<string, string>()

  constructor(page: Page) {
    this.#page = page
  }

  /** Reads the list, which `?` opens. */
  async read(): Promise<void> {
    await this.#page.keyboard.press('?')
    const list = this.#page.getByRole('dialog', { name: 'Keys' })
    await expect(list).toBeVisible()
    for (const row of await list.getByRole('listitem').all()) {
      const chord = await row.locator('[data-chord]').first().getAttribute('data-chord')
      const does = await row.locator('span').first().textContent()
      this.#chords.set(does ?? '', (chord ?? '').replace('Ctrl', 'Control'))
    }
    await this.#page.keyboard.press('Escape')
    await expect(list).toBeHidden()
  }

  /** @param does as it is listed */
  async press(does: string): Promise<void> {
    const chord = this.#chords.get(does)
    expect(chord, `a key for “${does}”`).toBeTruthy()
    await this.#page.keyboard.press(chord ?? '')
    this.presses += 1
    await this.holdsFocus(does)
  }

  /** Fails if the focus is nowhere, where no key of the text acts. */
  async holdsFocus(after: string): Promise<void> {
    expect(await this.#page.evaluate(() => document.activeElement?.tagName), after).not.toBe('BODY')
  }
}
