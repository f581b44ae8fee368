import type { Page } from '@playwright/test'
import type { RefundsTo } from '../../../src/contract/account/balance.ts'
import { rowOf } from '../../kit/files-page.ts'
import { payButton } from '../../kit/order-page.ts'

/** What the page says before its button is pressed, in cents. */
type Said = { price: number; balance: number; balanceAfter: number }

/** What somebody drops on the page. */
export type Recording = { name: string; buffer: Buffer }

/** The page of a new order and the dialog that deletes files, operated like a person does. */
export class OrderPages {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /**
   * Orders recordings into a project, or into none, and waits for all of them on the page of their batch. What the
   * account has already must be left out, with a sentence.
   * @returns the price on the button that was pressed, and the balance before and after it
   */
  async order(
    recordings: readonly Recording[],
    type: 'Automated' | 'Manual',
    project: string | null,
    doubles: readonly Recording[],
    reloads: boolean,
  ): Promise<Said> {
    await this.page.getByRole('link', { name: 'New order' }).first().click()
    await this.page.getByRole('radio', { name: new RegExp(type) }).check()
    await this.#choose(recordings, doubles)
    if (doubles.length > 0 && reloads) {
      await this.page.reload()
      await this.#choose(recordings, doubles)
    }
    const pay = payButton(this.page)
    await this.page.getByLabel('Project', { exact: true }).selectOption(project ?? 'No project')
    const price = readCents(await pay.textContent())
    const howPaid = (await this.page.getByText(/from your balance of|^Your balance is/).textContent()) ?? ''
    await pay.click()
    const count = `${recordings.length} ${recordings.length === 1 ? 'file' : 'files'} in this order`
    await this.page.getByRole('region', { name: 'Order', exact: true }).getByText(count).waitFor()
    const balance = readCents(/balance (of|is) (.*)/.exec(howPaid)?.[2])
    const left = / and (.*) is left/.exec(howPaid)?.[1]
    return { price, balance, balanceAfter: left === undefined ? balance - price : readCents(left) }
  }

  /** Chooses files, and waits until all of them are read and priced, or left out. */
  async #choose(recordings: readonly Recording[], doubles: readonly Recording[]): Promise<void> {
    const files = [...doubles, ...recordings].map((one) => ({ ...one, mimeType: 'audio/wav' }))
    // After a reload there are two of these fields.
    await this.page.getByLabel('Choose files').first().setInputFiles(files)
    await this.page
      .getByRole('row')
      .filter({ hasText: recordings.at(-1)?.name ?? '' })
      .filter({ hasText: '$' })
      .waitFor()
    await this.page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
    if (doubles.length === 0) return
    const said = `${recordings.length} of ${files.length} files will be ordered · left out: `
    await this.page.getByText(`${said}${doubles.length} already on the account`).waitFor()
  }

  /** Deletes a file of the list that is so far. @returns the cents that the dialog promises back, and where they go */
  async delete(name: string, percent: number): Promise<{ cents: number; to: RefundsTo }> {
    if (percent > 0) await rowOf(this.page, name).getByText(`${percent}%`).waitFor()
    await rowOf(this.page, name).focus()
    await this.page.keyboard.press('Delete')
    const dialog = this.page.getByRole('dialog')
    const said = await dialog
      .getByText(/refunded/)
      .first()
      .textContent()
    await dialog.getByRole('button', { name: 'Delete 1 file' }).click()
    await rowOf(this.page, name).waitFor({ state: 'detached' })
    return { cents: readCents(said), to: said?.includes('to your balance') ? 'balance' : 'card' }
  }
}

/** The first sum of money in a text, in cents. */
export function readCents(text: string | null | undefined): number {
  const amount = /\$([\d,]+\.\d\d)/.exec(text ?? '')?.[1]
  if (amount === undefined) throw new Error(`There is no sum in “${text}”.`)
  return Math.round(Number(amount.replaceAll(',', '')) * 100)
}
