import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { rowOf } from '../../kit/files-page.ts'
import { correct, openHarbour, saved } from '../../kit/harbour-talk.ts'
import { test } from '../../kit/seeded-transcripts.ts'
import { openTask, pressFormat } from '../../kit/transcript-tasks.ts'

/* Downloads after correcting: the corrected text, from every entry point. */

async function savedBy(page: Page, press: () => Promise<void>): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download')
  await press()
  const file = await download
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('an editor who only names the speakers downloads a transcript with the names', async ({
  page,
  account,
  seeded,
}) => {
  await openHarbour(page, account, seeded)
  await openTask(page, 'Read')
  await page.getByRole('button', { name: 'Rename Ann Lee' }).click()
  await page.getByLabel('New name of Ann Lee').fill('Dr Katherine Whitfield-Okonkwo')
  await page.keyboard.press('Enter')
  await saved(page, 1)
  const { name, text } = await savedBy(page, () => pressFormat(page, 'TXT'))
  expect(name).toBe('Harbour talk corrected.txt')
  expect(text).toContain('Dr Katherine Whitfield-Okonkwo: Good morning')
  expect(text).not.toContain('Ann Lee')
  await page.keyboard.press('Control+z')
  await openTask(page, 'Edit')
  await expect(page.getByText('No corrections yet')).toBeVisible()
  expect((await savedBy(page, () => pressFormat(page, 'TXT'))).text).toContain('Ann Lee')
})

test('a corrected transcript goes out corrected from page, menu, list and ZIP; the original is the second choice', {
  tag: '@slow',
}, async ({ page, account, seeded }) => {
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }))
  await openHarbour(page, account, seeded)
  await correct(page, 2, 'fundation', 'foundation')
  await saved(page, 1)
  await page.reload()
  await saved(page, 1)
  const text = await savedBy(page, () => page.getByRole('button', { name: 'Download TXT · corrected' }).click())
  expect(text.name).toBe('Harbour talk corrected.txt')
  const menu = () => page.getByRole('button', { name: 'Download', exact: true }).click()
  const fromPanel = await savedBy(page, () => pressFormat(page, 'SRT'))
  const again = await savedBy(page, () => page.getByRole('button', { name: 'Download SRT · corrected' }).click())
  expect(again).toEqual(fromPanel)
  await menu()
  const fromMenu = await savedBy(page, () => page.getByRole('menuitem', { name: /^TXT/ }).click())
  await menu()
  await page.getByRole('menuitem', { name: /^Original/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Download original transcript' })
  const original = await savedBy(page, () => dialog.getByRole('button', { name: 'Download' }).click())
  expect(original.name).toBe('Harbour talk.docx')
  await expect(page.getByRole('button', { name: 'Download DOCX · corrected' })).toBeVisible()

  await page.getByRole('link', { name: 'Back to files' }).click()
  await expect(rowOf(page, 'Harbour talk')).toContainText('corrected')
  const word = await savedBy(page, () =>
    page.getByRole('button', { name: 'Download DOCX of Harbour talk, corrected' }).click(),
  )
  expect(word.name).toBe('Harbour talk corrected.docx')
  await page.getByRole('button', { name: 'Formats of Harbour talk' }).click()
  const fromRow = await savedBy(page, () => page.getByRole('menuitem', { name: /^TXT/ }).click())
  await rowOf(page, 'Harbour talk').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Download all as ZIP' }).click()
  const zip = await savedBy(page, () => page.getByRole('button', { name: 'Save ZIP' }).click())
  for (const { text } of [fromPanel, fromMenu, fromRow, zip]) {
    expect(text).toContain('foundation stones')
    expect(text).not.toContain('fundation')
  }
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Formats of Harbour talk' }).click()
  const fromRowMenu = await savedBy(page, () => page.getByRole('menuitem', { name: /^Original/ }).click())
  expect(fromRowMenu).toMatchObject({ name: 'Harbour talk.txt', text: expect.stringContaining('fundation') })
})

test('the palette downloads the open transcript, in the format that list and page offer next, and opens its captions', async ({
  page,
  account,
  seeded,
}) => {
  await openHarbour(page, account, seeded)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('download docx')
  const { name } = await savedBy(page, () => page.keyboard.press('Enter'))
  expect(name).toBe('Harbour talk.docx')
  await expect(page.getByRole('button', { name: 'Download DOCX · original' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('caption')
  await page.getByRole('option', { name: 'Captions of this transcript' }).click()
  await expect(page.getByRole('listbox', { name: 'Captions' })).toBeVisible()
  // Beside the captions the first button is for them.
  await expect(page.getByRole('button', { name: 'Download SRT · original' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to the text' }).click()
  await page.getByRole('link', { name: 'Back to files' }).click()
  await expect(page.getByRole('button', { name: 'Download DOCX of Harbour talk', exact: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('download docx')
  await expect(page.getByText('No results in your files')).toBeVisible()
})

test('Escape right after a click on Download leaves no menu, even if its code was still loading', async ({
  page,
  account,
  seeded,
}) => {
  const asked = Promise.withResolvers<void>()
  const escaped = Promise.withResolvers<void>()
  await page.route(/assets\/menu-/, async (route) => {
    asked.resolve()
    await escaped.promise
    await route.continue()
  })
  await openHarbour(page, account, seeded)
  const button = page.getByRole('button', { name: 'Download', exact: true })
  await button.click()
  await asked.promise
  await page.keyboard.press('Escape')
  escaped.resolve()
  await expect(button).toHaveAttribute('aria-expanded', 'false')
  // This click would close a menu that had opened after all.
  await button.click()
  await expect(page.getByRole('menuitem', { name: /^SRT/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
})
