import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { pressMore, rowOf } from '../../kit/files-page.ts'

export type Download = { name: string; content: Buffer }

/** What comes when somebody presses a button that saves a file. */
export async function takeDownload(page: Page, press: () => Promise<void>): Promise<Download> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}

async function addTag(dialog: Locator, tag: string): Promise<void> {
  const field = dialog
    .getByRole('combobox')
    .or(dialog.getByRole('textbox', { name: /^(Add to all|Tags)$/ }))
    .first()
  await field.fill(tag)
  await field.press('Enter')
}

/** Fills in the dialog of a file's labels, and saves it. */
export async function fillLabels(page: Page, name: string, note: string, tag?: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Note').fill(note)
  if (tag !== undefined) await addTag(dialog, tag)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** The list of files and a project's page, operated like a person does. */
export class FilesPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Names of the files that the list or a project's page shows. */
  rows(): Promise<string[]> {
    return this.page
      .getByRole('row')
      .filter({ has: this.page.getByRole('checkbox', { name: /^Select (?!all )/ }) })
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))
  }

  /** By the menu of a row, in a format. */
  async fromRowMenu(name: string, format: string): Promise<Download> {
    await this.page.getByRole('button', { name: `Formats of ${name}`, exact: true }).click()
    return await takeDownload(this.page, () =>
      this.page.getByRole('menuitem', { name: new RegExp(`^${format}\\b`) }).click(),
    )
  }

  /** Selects files in the list and presses a button of the bar. */
  async select(names: readonly string[], button: string): Promise<void> {
    await this.check(names)
    await this.page.getByRole('region', { name: 'Selected files' }).getByRole('button', { name: button }).click()
  }

  async check(names: readonly string[]): Promise<void> {
    for (const name of names) await this.page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  }

  async clearSelection(): Promise<void> {
    const clear = this.page.getByRole('button', { name: 'Clear selection' })
    if (await clear.isVisible()) await clear.click()
  }

  /** Moves files to a project, or out of any. */
  async move(names: readonly string[], project: string): Promise<void> {
    await this.select(names, 'Project…')
    const dialog = this.page.getByRole('dialog')
    await dialog.getByLabel('Project', { exact: true }).selectOption(project)
    await dialog.getByRole('button', { name: 'Move' }).click()
    await dialog.waitFor({ state: 'detached' })
    await this.clearSelection()
  }

  async tag(names: readonly string[], tag: string): Promise<void> {
    await this.select(names, 'Tags…')
    const dialog = this.page.getByRole('dialog')
    await addTag(dialog, tag)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await this.clearSelection()
  }

  async label(name: string, newName: string, note: string): Promise<void> {
    await this.page.getByRole('button', { name: `More for ${name}`, exact: true }).click()
    await this.page.getByRole('menuitem', { name: 'Name, note, tags…' }).click()
    await fillLabels(this.page, newName, note)
  }

  /** All files of the current selection as one ZIP. */
  async zip(names: readonly string[], format: string): Promise<Download> {
    await this.select(names, 'Download all as ZIP')
    const file = await this.#saveZip(format)
    await this.clearSelection()
    return file
  }

  /** Everything in a project, from its page. */
  async projectZip(format: string): Promise<Download> {
    await this.page.getByRole('button', { name: /^Download all( in another format)?$/ }).click()
    return await this.#saveZip(format)
  }

  async #saveZip(format: string): Promise<Download> {
    const dialog = this.page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Format', exact: true }).selectOption(format)
    const file = await takeDownload(this.page, () =>
      dialog.getByRole('button', { name: 'Save ZIP', exact: true }).click(),
    )
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    return file
  }

  /** The same again, by the button that names the format of the last time. */
  projectZipAgain(format: string): Promise<Download> {
    const button = this.page.getByRole('button', { name: `Download all · ${format.toUpperCase()}`, exact: true })
    return takeDownload(this.page, () => button.click())
  }

  async openProject(name: string): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Projects' }).getByRole('link', { name }).click()
    await this.page.getByRole('heading', { level: 1, name }).waitFor()
  }

  async archive(name: string): Promise<void> {
    await this.check([name])
    await pressMore(this.page, 'Archive')
    await rowOf(this.page, name).waitFor({ state: 'detached' })
    await this.clearSelection()
  }

  /** Searches the list; an empty text shows all files again. */
  async search(words: string): Promise<void> {
    await this.page.getByRole('searchbox').fill(words)
  }

  /** Opens the sentence that a search found in a row. @returns the marked words of the row */
  async openHit(name: string): Promise<string> {
    const hit = rowOf(this.page, name)
      .getByRole('link', { name: / · \d+:\d\d/ })
      .first()
    await hit.locator('mark').first().waitFor()
    const marked = (await hit.locator('mark').allTextContents()).join(' ')
    await hit.click()
    return marked
  }
}
