import { expect, type Page } from '@playwright/test'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import { harbour, harbourText, saved, turn } from '../../kit/harbour-talk.ts'
import { openTranscript, test, untilCorrectable } from '../../kit/seeded-transcripts.ts'

/* The speakers' names beside the text, which are buttons. */

test.beforeEach(async ({ page, account, seeded }) => {
  const id = await seeded.seed(account, harbour(harbourText))
  await openTranscript(page, account, id)
  await untilCorrectable(page)
})

/** A turn has the focus, or its speaker's name. */
const hasFocus = (page: Page, index: number) =>
  expect(page.locator('article:focus-within')).toHaveAttribute('data-block', String(index))

test('a name beside the text changes its turn, renames its speaker, and shows this one alone', async ({ page }) => {
  const name = (index: number) => page.getByRole('article').nth(index).getByRole('button')
  await name(1).click()
  await expect(page.getByRole('menuitemcheckbox', { name: 'Bob Okafor' })).toBeChecked()
  await expectNoAxeFindings(page)
  await page.getByRole('menuitemcheckbox', { name: 'Ann Lee' }).click()
  await expect(name(1)).toHaveText('Ann Lee')
  await expect(name(3)).toHaveText('Bob Okafor')
  await saved(page, 1)
  await name(3).click()
  await page.getByRole('menuitem', { name: 'Rename Bob Okafor…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Bob Oka')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect(name(3)).toHaveText('Bob Oka')
  await name(3).click()
  await page.getByRole('menuitem', { name: 'Show only Bob Oka' }).click()
  await expect(page.getByRole('article')).toHaveText([/^Bob Oka.*Yes, people forget the mill\.$/])
  await expect(page.getByText('Only Bob Oka: 1 of 4 turns')).toBeVisible()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Show all speakers' }).click()
  await expect(page.getByRole('article')).toHaveCount(4)
})

test('what is not shown is neither copied nor passed by the arrows, and going to it shows all', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('article').first().getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Show only Ann Lee' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  await hasFocus(page, 0)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('article').nth(1)).toBeFocused()
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Transcript copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'Ann Lee: Good morning and welcome to the harbour talk.\nAnn Lee: Shall we begin with the fundation stones?',
  )
  await page.getByRole('searchbox', { name: 'Find' }).fill('mill')
  await expect(page.getByRole('article')).toHaveCount(4)
})

test('by keyboard: Tab leads from a turn to its name, Shift-F10 opens the menu at once', async ({ page }) => {
  const turns = page.getByRole('article')
  await turns.nth(1).focus()
  await page.keyboard.press('Tab')
  await expect(turns.nth(1).getByRole('button')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(turns.nth(1).getByRole('button')).toBeFocused()
  await turns.nth(1).focus()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menu')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(turns.nth(1)).toContainText('Ann Lee')
  await hasFocus(page, 1)
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menu')).toBeFocused()
  for (const key of ['End', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('dialog').getByLabel('Name').fill('Anne Lee')
  await page.keyboard.press('Enter')
  await expect(turns.nth(2)).toContainText('Anne Lee')
  await hasFocus(page, 1)
})

test('on a phone, a tap on a name opens its menu', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await turn(page, 0).waitFor()
  await page.getByRole('article').first().getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Show only Ann Lee' }).click()
  await expect(page.getByText('Only Ann Lee: 2 of 4 turns')).toBeInViewport()
  await expectNoAxeFindings(page)
})
