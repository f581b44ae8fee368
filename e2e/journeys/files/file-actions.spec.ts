import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { pressMore, rowOf, tool } from '../../kit/files-page.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { signIn } from '../../kit/sign-in.ts'

/* What can be done with a file: the same menu on its row and on its own page. */

const entries = ['Name, note, tags…', 'Project…', 'Archive', 'Keep forever', 'Receipt', 'Delete…no refund']

test.beforeEach(async ({ page, service, sandboxAccount }) => {
  for (const name of ['Second', 'First']) {
    await tool(service, sandboxAccount, 'files', { name, seconds: 60, progress_percent: 100 })
  }
  await signIn(page, sandboxAccount.key)
})

const shown = async (page: Page) => (await page.getByRole('menuitem').allTextContents()).map((text) => text.trim())
const closed = (page: Page) => expect(page.getByRole('menu')).toHaveCount(0)

test('a row has one menu: by its button, a right click and the keyboard', { tag: '@slow' }, async ({ page }) => {
  const row = rowOf(page, 'First')
  await page.getByRole('button', { name: 'More for First' }).click()
  await expect.poll(() => shown(page)).toEqual(entries)
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')
  await closed(page)
  await row.click({ button: 'right', position: { x: 300, y: 20 } })
  await expect.poll(() => shown(page)).toEqual(entries)
  const [menu, at] = [await page.getByRole('menu').boundingBox(), await row.boundingBox()]
  expect(Math.abs((menu?.x ?? 0) - (at?.x ?? 0) - 300), 'opens at the pointer').toBeLessThan(10)
  // Another right click moves it.
  await rowOf(page, 'Second').click({ button: 'right', position: { x: 200, y: 20 } })
  await expect.poll(async () => (await page.getByRole('menu').boundingBox())?.x ?? 0).toBeLessThan(menu?.x ?? 0)
  await page.keyboard.press('Escape')
  await closed(page)
  await expect(rowOf(page, 'Second')).toBeFocused()
  for (const key of ['Shift+F10', 'ContextMenu']) {
    await row.focus()
    await page.keyboard.press(key)
    await expect.poll(() => shown(page)).toEqual(entries)
    await page.keyboard.press('Escape')
    await closed(page)
    await expect(row).toBeFocused()
  }
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menu')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Name, note and tags' })).toBeVisible()
})

test('the browser keeps its own menu for selected text, and with Shift', async ({ page }) => {
  const row = rowOf(page, 'First')
  const isOurs = async (act: () => Promise<void>) => {
    const own = page.evaluate(
      () =>
        new Promise((resolve) =>
          addEventListener('contextmenu', ({ defaultPrevented }) => resolve(defaultPrevented), { once: true }),
        ),
    )
    await act()
    const answer = await own
    await page.keyboard.press('Escape')
    return answer
  }
  const name = row.getByRole('link', { name: 'First' })
  expect(await isOurs(() => name.click({ button: 'right' }))).toBe(true)
  expect(await isOurs(() => name.click({ button: 'right', modifiers: ['Shift'] }))).toBe(false)
  await name.evaluate((element) => getSelection()?.selectAllChildren(element))
  expect(await isOurs(() => name.click({ button: 'right' }))).toBe(false)
})

test('a file is renamed, archived and deleted from its own page', { tag: '@slow' }, async ({ page }) => {
  await rowOf(page, 'First').getByRole('link', { name: 'First' }).click()
  const more = page.getByRole('button', { name: 'More', exact: true })
  await more.click()
  await expect.poll(() => shown(page)).toEqual(entries)
  await expectNoAxeFindings(page)
  await page.getByRole('menuitem', { name: 'Name, note, tags…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Talk')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Talk' })).toBeVisible()
  await expect(more).toBeFocused()
  await more.press('ArrowDown')
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(page.getByText('Archived: 1 file')).toBeVisible()
  await more.click()
  await expect(page.getByRole('menuitem', { name: 'Unarchive' })).toBeVisible()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete 1 file' }).click()
  await expect(page).toHaveURL(/\/files$/)
  await expect(rowOf(page, 'Second')).toBeVisible()
  await expect(rowOf(page, 'Talk')).toHaveCount(0)
})

test('a renamed file has its new name in its text from the list, its own page and a ZIP', { tag: '@slow' }, async ({
  page,
  service,
  sandboxAccount,
}) => {
  await tool(service, sandboxAccount, 'files', { name: 'Third', seconds: 60, progress_percent: 40 })
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }))
  await signIn(page, sandboxAccount.key)
  for (const name of ['First', 'Third']) {
    await page.getByRole('button', { name: `More for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Name, note, tags…' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill(`${name} hearing`)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(rowOf(page, `${name} hearing`)).toBeVisible()
  }
  const take = async (press: () => Promise<void>) => {
    const download = page.waitForEvent('download')
    await press()
    return await readFile(await (await download).path())
  }
  for (const name of ['First hearing', 'Third hearing', 'Second']) {
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  }
  await page.getByRole('button', { name: 'Download all as ZIP' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Format', exact: true }).selectOption('txt')
  const zip = unzipSync(await take(() => dialog.getByRole('button', { name: 'Save ZIP' }).click()))
  expect(Object.keys(zip).toSorted()).toEqual(['First hearing.txt', 'Second.txt', 'Third hearing.txt'])
  expect(Buffer.from(zip['First hearing.txt'] ?? []).toString()).toMatch(/^First hearing\n/)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  const row = rowOf(page, 'First hearing')
  const fromList = await take(() => row.getByRole('button', { name: /^Download TXT/ }).click())
  expect(fromList.toString()).toMatch(/^First hearing\n/)
  await row.getByRole('link', { name: 'First hearing' }).click()
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const fromPage = await take(() => page.getByRole('menuitem', { name: /^TXT/ }).click())
  expect(fromPage.toString()).toMatch(/^First hearing\n/)
})

test('the bar for selected files has three buttons, and a menu of the rest', async ({ page }) => {
  await page.getByRole('checkbox', { name: 'Select First' }).check()
  const bar = page.getByRole('region', { name: 'Selected files' })
  await expect(bar.getByRole('button')).toHaveText([/^\s*Download all as ZIP$/, /Tags…/, /Project…/, /More/, ''])
  const csv = page.waitForEvent('download')
  await pressMore(page, 'Receipts as CSV')
  expect((await csv).suggestedFilename()).toBe('receipts.csv')
})
