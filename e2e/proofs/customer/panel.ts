import type { Locator, Page } from '@playwright/test'
import { openCaptions, openTask, pressFormat } from '../../kit/transcript-tasks.ts'
import { type Download, fillLabels, takeDownload } from './files-page.ts'

/** As the menu of rules calls one's own. */
const ownRules = 'Own rules…'
/** The characters per line of each choice of rules, and the shortest caption in seconds. */
export const rulesToChoose: Readonly<Record<string, readonly [number, number]>> = {
  'Parley rules': [42, 1.2],
  'Netflix rules': [42, 5 / 6],
  'BBC rules': [37, 1],
  'DCMP rules': [32, 4 / 3],
  [ownRules]: [24, 1.1],
}

/** The panel beside a transcript, with the dialogs and views that it opens, operated like a person does. */
export class Panel {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async takeOutFillers(): Promise<void> {
    await openTask(this.page, 'Edit')
    await this.page.getByRole('button', { name: 'Fillers…' }).click()
    const dialog = this.page.getByRole('dialog', { name: 'Remove filler words' })
    await dialog.getByRole('button', { name: /^Remove \d+ words?/ }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  async press(name: 'Undo' | 'Redo'): Promise<void> {
    await openTask(this.page, 'Edit')
    await this.#panelButton(name).click()
  }

  /** Decides the only conflict. */
  async decide(isMine: boolean): Promise<void> {
    await this.page.getByRole('region', { name: 'Conflicts' }).getByRole('button', { name: 'Choose' }).click()
    const dialog = this.page.getByRole('dialog')
    await dialog
      .getByRole('button', { name: isMine ? 'Use mine' : 'Use this', exact: true })
      .first()
      .click()
    if (await dialog.isVisible()) await this.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }

  async #versions(): Promise<Locator> {
    await openTask(this.page, 'Edit')
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

  async #inCaptions<Result>(work: (rules: Locator) => Promise<Result>): Promise<Result> {
    await openCaptions(this.page)
    const result = await work(this.page.getByRole('combobox', { name: 'Caption rules' }))
    await this.page.getByRole('button', { name: 'Back to the text' }).click()
    return result
  }

  /** Chooses rules in the captions view. */
  async chooseRules(rules: string): Promise<void> {
    await this.#inCaptions(async (choice) => {
      await choice.selectOption({ label: rules })
      if (rules === ownRules) await this.#writeOwnRules()
    })
  }

  /**
   * Opens the captions view and waits until it shows so many.
   * @returns the captions shown, without their figures, and their rules
   */
  captions(count: number): Promise<{ texts: string[]; rules: string }> {
    return this.#inCaptions(async (choice) => {
      await this.#untilCaptions(count)
      const list = this.page.getByRole('listbox', { name: 'Captions' }).getByRole('option')
      const rules = await choice.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.label ?? '')
      return { texts: await list.allTextContents(), rules }
    })
  }

  /** Shifts all captions, from the captions view. */
  async shiftCaptions(seconds: number): Promise<void> {
    await this.#inCaptions(async () => {
      await this.page.getByRole('button', { name: 'More for all captions' }).click()
      await this.page.getByRole('menuitem', { name: 'Shift or stretch…' }).click()
      const dialog = this.page.getByRole('dialog', { name: 'Shift all captions' })
      await dialog.getByLabel('Later by (seconds)').fill(String(seconds))
      await dialog.getByRole('button', { name: 'Shift captions' }).click()
      await dialog.waitFor({ state: 'detached' })
    })
  }

  /** Has new files begin with the rules of this one. */
  async useForNewFiles(): Promise<void> {
    await this.#inCaptions(async () => {
      await this.page.getByRole('button', { name: 'More for all captions' }).click()
      await this.page.getByRole('menuitem', { name: / for new files$/ }).click()
      await this.page
        .getByText(/^Captions of new files begin with /)
        .last()
        .waitFor()
    })
  }

  /** Changes the labels of the file from its own page. */
  async label(name: string, note: string, tag: string): Promise<void> {
    await this.page.getByRole('button', { name: 'More', exact: true }).click()
    await this.page.getByRole('menuitem', { name: 'Name, note, tags…' }).click()
    await fillLabels(this.page, name, note, tag)
  }

  /**
   * Types at the beginning of a caption, in its place, and ends that by Enter or by saving the captions meanwhile.
   * @returns what was saved
   */
  async typeCaption(index: number, count: number, word: string, byEnter: boolean): Promise<string | null> {
    return await this.#inCaptions(async () => {
      await this.#untilCaptions(count)
      const list = this.page.getByRole('listbox', { name: 'Captions' })
      await list.getByRole('option').nth(index).click()
      await this.page.keyboard.press('F2')
      const text = this.page.getByRole('textbox', { name: 'Text of this caption' })
      await text.press('Control+Home')
      await this.page.keyboard.insertText(`${word} `)
      if (!byEnter) {
        const first = this.page.getByRole('button', { name: /^Download (SRT|SBV|VTT) · / })
        return (await takeDownload(this.page, () => first.click())).content.toString()
      }
      await this.page.keyboard.press('Enter')
      // It goes on to the next one, if there is one.
      if (index < count - 1) await text.press('Escape')
      await text.waitFor({ state: 'detached' })
      return null
    })
  }

  async #untilCaptions(count: number): Promise<void> {
    const view = this.page.getByRole('region', { name: 'Captions of this transcript' })
    const words = new RegExp(`^${count} captions?,`)
    await view.getByRole('status').filter({ hasText: words }).waitFor()
  }

  /** Narrow ones. */
  async #writeOwnRules(): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name: 'Caption rules' })
    await dialog.getByLabel('Characters per line').fill('24')
    await dialog.getByLabel('Shortest (seconds)').fill('1.1')
    await dialog.getByRole('button', { name: 'Use these rules' }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  fromHeader(format: string): Promise<Download> {
    return takeDownload(this.page, () => pressFormat(this.page, format))
  }

  #panelButton(name: string): Locator {
    return this.page.getByRole('complementary').getByRole('button', { name, exact: true })
  }

  /** Through all states of the review to approved, as somebody does who works alone. */
  async approve(): Promise<void> {
    await openTask(this.page, 'Edit')
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
