import type { Browser, BrowserContext, Page } from '@playwright/test'
import { rowOf } from '../../kit/files-page.ts'
import { field, turn } from '../../kit/harbour-talk.ts'
import type { NewAccount } from '../../kit/service-process.ts'
import { sessionOf, storeSession } from '../../kit/stored-session.ts'
import { openTask } from '../../kit/transcript-tasks.ts'
import { FilesPage } from './files-page.ts'
import { OrderPages } from './order-pages.ts'
import { Panel } from './panel.ts'

/** Longest wait for something that must come true, in milliseconds; a machine five times as slow keeps to it. */
export const patienceMs = 30_000

/** One browser of the account, operated like a person does: what is typed goes to whatever has the focus. */
export class Device {
  readonly page: Page
  readonly files: FilesPage
  readonly panel: Panel
  readonly orders: OrderPages
  readonly #context: BrowserContext
  /** errors that the page logged */
  readonly errors: string[] = []

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context
    this.page = page
    this.files = new FilesPage(page)
    this.panel = new Panel(page)
    this.orders = new OrderPages(page)
    page.on('pageerror', ({ message }) => this.errors.push(message))
  }

  static async open(browser: Browser, url: URL, account: NewAccount): Promise<Device> {
    // So tall that the whole text is in the document.
    const context = await browser.newContext({ baseURL: url.href, viewport: { width: 1440, height: 2_400 } })
    context.setDefaultTimeout(patienceMs)
    await storeSession(context, sessionOf(account, 'sandbox'))
    const page = await context.newPage()
    await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }))
    return new Device(context, page)
  }

  close(): Promise<void> {
    return this.#context.close()
  }

  offline(isOffline: boolean): Promise<void> {
    return this.#context.setOffline(isOffline)
  }

  /** The list, by the link in the sidebar or by its URL. */
  async openFiles(by: 'link' | 'url'): Promise<void> {
    if (by === 'link' && !this.page.url().startsWith('about:')) {
      await this.page.getByRole('link', { name: /^Files/ }).click()
    } else await this.page.goto('/sandbox/files')
    await this.page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
  }

  /** A transcript, by its row in the list or by its URL. */
  async openTalk(id: string, name: string, by: 'link' | 'url'): Promise<void> {
    if (by === 'url') await this.page.goto(`/sandbox/files/${id}`)
    else {
      await this.openFiles('link')
      await rowOf(this.page, name).getByRole('link', { name }).first().click()
    }
    await this.untilCorrectable()
  }

  async untilCorrectable(): Promise<void> {
    await openTask(this.page, 'Edit')
    await this.page.getByRole('complementary').getByRole('button', { name: 'Versions' }).waitFor()
    await turn(this.page, 0).waitFor()
  }

  reload(): Promise<unknown> {
    return this.page.reload()
  }

  /** The turns as shown: `Speaker: words`. */
  async lines(): Promise<string[]> {
    const blocks = await this.page
      .getByRole('article')
      .evaluateAll((all) => all.map((one) => ['h2', 'p'].map((tag) => one.querySelector(tag)?.textContent ?? '')))
    const lines: string[] = []
    for (const [head = '', text] of blocks) {
      // A long turn is shown in several blocks.
      if (head.endsWith(' continues')) lines.push(`${lines.pop()} ${text}`)
      else lines.push(`${head}: ${text}`)
    }
    return lines
  }

  /** The block that shows a character of a turn, and where in it: a long turn is shown in several. */
  async #findBlock(index: number, at: number): Promise<{ block: number; at: number }> {
    const blocks = await this.page.getByRole('article').evaluateAll((all) =>
      all.map((one) => ({
        continues: one.querySelector('h2')?.textContent?.endsWith(' continues') === true,
        length: one.querySelector('p')?.textContent?.length ?? 0,
      })),
    )
    const begins = blocks.flatMap(({ continues }, block) => (continues ? [] : [block]))
    let block = begins[index] ?? index
    for (; blocks[block + 1]?.continues && at > (blocks[block]?.length ?? 0); block += 1) {
      at -= (blocks[block]?.length ?? 0) + 1
    }
    return { block, at }
  }

  /** Opens the block that shows a character of a turn. @returns where in it that is */
  async #openTurn(index: number, from = 0): Promise<number> {
    const { block, at } = await this.#findBlock(index, from)
    const paragraph = turn(this.page, block)
    // On its first word, which is on the right if that is written from there.
    const x = await paragraph.evaluate((one) =>
      getComputedStyle(one).direction === 'rtl' ? one.getBoundingClientRect().width - 8 : 8,
    )
    await paragraph.dblclick({ position: { x, y: 12 } })
    const text = field(this.page)
    await text.waitFor()
    // The double click selects its word in a later frame.
    await this.page.waitForFunction(() => document.getSelection()?.isCollapsed === false)
    // Until the first key, the page restores that selection.
    await this.page.keyboard.press('Home')
    return at
  }

  /** Selects characters of the open turn, as a mouse does, and lets the page notice. */
  async #select(from: number, to: number): Promise<void> {
    await field(this.page).evaluate(
      async (element, [start, end]) => {
        const node = element.firstChild as Text
        document.getSelection()?.setBaseAndExtent(node, start as number, node, end as number)
        for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
      },
      [from, to],
    )
  }

  /** Replaces a turn's characters `from` to `to`, and does not leave it. */
  async type(index: number, from: number, to: number, text: string): Promise<void> {
    const at = await this.#openTurn(index, from)
    await this.#select(at, at + to - from)
    if (text === '') await this.page.keyboard.press('Delete')
    else await this.page.keyboard.insertText(text)
  }

  /** Replaces a turn's characters `from` to `to`. */
  async retype(index: number, from: number, to: number, text: string): Promise<void> {
    await this.type(index, from, to, text)
    await this.page.keyboard.press('Enter')
    await field(this.page).waitFor({ state: 'detached' })
  }

  async split(index: number, before: number): Promise<void> {
    const at = await this.#openTurn(index, before)
    await this.#select(at, at)
    await this.page.keyboard.press('Control+Enter')
    await this.#leaveTurn()
  }

  async mergeUp(index: number): Promise<void> {
    await this.#openTurn(index)
    await this.page.getByRole('button', { name: 'Merge up' }).click()
    await this.#leaveTurn()
  }

  /** After a split or a merge the editor may stay open on a turn. */
  async #leaveTurn(): Promise<void> {
    if (await field(this.page).isVisible()) await this.page.keyboard.press('Escape')
    await field(this.page).waitFor({ state: 'detached' })
  }

  async #speakerMenu(index: number): Promise<void> {
    await this.#openTurn(index)
    const tools = this.page.getByRole('toolbar', { name: 'Correcting a turn' })
    await tools.getByRole('button').first().click()
  }

  async giveTo(index: number, speaker: string): Promise<void> {
    await this.#speakerMenu(index)
    await this.page.getByRole('menuitemcheckbox', { name: speaker, exact: true }).click()
    await this.page.keyboard.press('Escape')
    await this.page.getByRole('menu').waitFor({ state: 'detached' })
    await this.#leaveTurn()
  }

  async giveToNew(index: number, speaker: string): Promise<void> {
    await this.#speakerMenu(index)
    await this.page.getByRole('menuitem', { name: /^New speaker/ }).click()
    // Nobody types in the frame in which it appears; a field that never gets the focus is a fault.
    await this.page.getByRole('dialog', { name: 'Speaker of this turn' }).locator('input:focus').waitFor()
    await this.page.keyboard.type(speaker)
    await this.page.keyboard.press('Enter')
    await this.page.getByRole('dialog').waitFor({ state: 'detached' })
    await this.#leaveTurn()
  }

  async rename(from: string, to: string): Promise<void> {
    await openTask(this.page, 'Read')
    await this.page.getByRole('button', { name: `Rename ${from}`, exact: true }).click()
    await this.page.keyboard.insertText(to)
    await this.page.keyboard.press('Enter')
  }

  async replaceAll(wanted: string, by: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: 'Find in the transcript' }).click()
    await this.page.keyboard.insertText(wanted)
    await this.page.getByRole('button', { name: 'Replace…', exact: true }).click()
    await this.page.getByLabel('Replace with').fill(by)
    await this.page.getByRole('button', { name: /^Replace all/ }).click()
    await this.page.keyboard.press('Escape')
    const close = this.page.getByRole('button', { name: 'Close find' })
    if (await close.isVisible()) await close.click()
  }
}
