import type { Locator, Page } from '@playwright/test'
import { type Download, takeDownload } from './files-page.ts'

/** The panel beside a transcript, with the dialogs and views that it opens, operated like a person does. */
export class Panel {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async takeOutFillers(): Promise<void> {
    await this.page.getByRole('button', { name: 'Fillers…' }).click()
    const dialog = this.page.getByRole('dialog', { name: 'Take out fillers' })
    await dialog.getByRole('button', { name: /^Take out \d+ words?/ }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  async press(name: 'Undo' | 'Redo'): Promise<void> {
    await this.page.getByRole('complementary').getByRole('button', { name, exact: true }).click()
  }

  /** Decides the only conflict. */
  async decide(isMine: boolean): Promise<void> {
    await this.page
      .getByRole('button', { name: /^\d+ corrections? to review/ })
      .first()
      .click()
    const dialog = this.page.getByRole('dialog')
    await dialog
      .getByRole('button', { name: isMine ? 'Use mine' : 'Use this', exact: true })
      .first()
      .click()
    if (await dialog.isVisible()) await this.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }

  async #versions(): Promise<Locator> {
    await this.page.getByRole('button', { name: 'Versions' }).click()
    return this.page.getByRole('dialog', { name: 'Versions' })
  }

  async nameVersion(name: string): Promise<void> {
    const dialog = await this.#versions()
    await dialog
      .getByRole('button', { name: /^Name the version of / })
      .first()
      .click()
    await this.page.getByLabel('Name', { exact: true }).fill(name)
    await this.page.getByRole('button', { name: 'Save name' }).click()
    await dialog.getByText(name).waitFor()
    await this.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }

  async restore(version: string): Promise<void> {
    const dialog = await this.#versions()
    await dialog.getByRole('listitem').filter({ hasText: version }).getByRole('button', { name: 'Restore' }).click()
    if (await dialog.isVisible()) await this.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }

  /** Opens the captions view, chooses rules, and counts. @returns the captions shown, without their figures */
  async captions(rules: string | null): Promise<{ count: number; texts: string[] }> {
    await this.page.getByRole('button', { name: 'Check and time captions' }).click()
    const status = this.page.getByRole('region', { name: 'Captions of this transcript' }).getByRole('status').first()
    await status.filter({ hasText: /\d+ captions?/ }).waitFor()
    if (rules !== null) {
      await this.page.getByRole('combobox', { name: 'Caption rules' }).selectOption({ label: rules })
    }
    const said = await status.textContent()
    const list = this.page.getByRole('listbox', { name: 'Captions' }).getByRole('option')
    const texts = await list.allTextContents()
    await this.page.getByRole('button', { name: 'Back to the text' }).click()
    return { count: Number(/^(\d+)/.exec(said ?? '')?.[1]), texts }
  }

  fromPanel(format: string): Promise<Download> {
    return takeDownload(this.page, () =>
      this.page
        .getByRole('complementary')
        .getByRole('listitem')
        .getByRole('button', { name: format, exact: true })
        .click(),
    )
  }

  #panelButton(name: string): Locator {
    return this.page.getByRole('complementary').getByRole('button', { name, exact: true })
  }

  /** Through all states of the review to approved, as somebody does who works alone. */
  async approve(): Promise<void> {
    const begin = this.#panelButton('Check turns and approve')
    if (await begin.isVisible()) await begin.click()
    const send = this.#panelButton('Send to review')
    const approve = this.#panelButton('Approve')
    await send.or(approve).first().waitFor()
    if (await send.isVisible()) await send.click()
    await approve.click()
    const anyway = this.page.getByRole('dialog').getByRole('button', { name: 'Approve' })
    const approved = this.page.getByRole('status').filter({ hasText: /^Approved by / })
    await anyway.or(approved).first().waitFor()
    if (await anyway.isVisible()) await anyway.click()
    await approved.waitFor()
  }

  async reopen(): Promise<void> {
    await this.page.getByRole('button', { name: 'Reopen' }).first().click()
    await this.page
      .getByRole('status')
      .filter({ hasText: /^Approved by / })
      .waitFor({ state: 'detached' })
  }
}
