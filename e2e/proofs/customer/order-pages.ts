import type { Page } from '@playwright/test'
import { rowOf } from '../../kit/files-page.ts'
import { payButton } from '../../kit/order-page.ts'

/** What somebody drops on the page. */
export type Recording = { name: string; buffer: Buffer }

/** The page of a new order and the dialog that deletes files, operated like a person does. */
export class OrderPages {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /**
   * Orders recordings into a project, or into none, and waits for all of them on the page of their batch.
   * @returns the cents on the button that was pressed
   */
  async order(recordings: readonly Recording[], type: 'Automated' | 'Manual', project: string | null): Promise<number> {
    await this.page.getByRole('link', { name: 'New order' }).first().click()
    await this.page.getByRole('radio', { name: new RegExp(type) }).check()
    const files = recordings.map((one) => ({ ...one, mimeType: 'audio/wav' }))
    await this.page.getByLabel('Choose files').setInputFiles(files)
    const pay = payButton(this.page)
    // All of them are read, and priced.
    await this.page
      .getByRole('row')
      .filter({ hasText: recordings.at(-1)?.name ?? '' })
      .filter({ hasText: '$' })
      .waitFor()
    await this.page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
    await this.page.getByLabel('Project', { exact: true }).selectOption(project ?? 'No project')
    const cents = readCents(await pay.textContent())
    await pay.click()
    const count = `${recordings.length} ${recordings.length === 1 ? 'file' : 'files'} in this order`
    await this.page.getByRole('region', { name: 'Order', exact: true }).getByText(count).waitFor()
    return cents
  }

  /** Deletes a file of the list. @returns the cents that the dialog promises back */
  async delete(name: string): Promise<number> {
    await rowOf(this.page, name).focus()
    await this.page.keyboard.press('Delete')
    const dialog = this.page.getByRole('dialog')
    const said = await dialog
      .getByText(/refunded/)
      .first()
      .textContent()
    await dialog.getByRole('button', { name: 'Delete 1 file' }).click()
    await rowOf(this.page, name).waitFor({ state: 'detached' })
    return readCents(said)
  }
}

/** The first sum of money in a text, in cents. */
function readCents(text: string | null): number {
  const amount = /\$([\d,]+\.\d\d)/.exec(text ?? '')?.[1]
  if (amount === undefined) throw new Error(`There is no sum in “${text}”.`)
  return Math.round(Number(amount.replaceAll(',', '')) * 100)
}
