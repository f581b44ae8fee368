import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { expectNoAxeFindings } from './fixtures.ts'
import { openTranscript, type SeededService, test, txtOf, untilCorrectable, wordsOf } from './seeded-transcripts.ts'
import type { NewAccount } from './service-process.ts'

const run = promisify(execFile)

const first =
  'Good morning and welcome to the harbour talk.|Thank you, it is good to be here.|Shall we begin with the fundation stones?|Yes, people forget the mill.'
const newer =
  'Well, good morning and welcome to the harbour talk.|Thank you, it is good to be here.|Shall we begin with the fun day shun stones?|Yes, people forget the mill.'

const harbour = (text: string) => ({ name: 'Harbour talk', json: JSON.stringify(wordsOf(text)), txt: txtOf(text) })

const turn = (page: Page, index: number) => page.getByRole('article').nth(index).getByRole('paragraph')
const field = (page: Page) => page.getByRole('textbox', { name: 'Text of this turn' })

/** Types over a turn as a person does. */
async function correct(page: Page, index: number, before: string, after: string): Promise<void> {
  const text = (await turn(page, index).textContent()) ?? ''
  await turn(page, index).dblclick({ position: { x: 8, y: 12 } })
  await field(page).fill(text.replace(before, after))
  await field(page).press('Enter')
}

async function saved(page: Page, places: number): Promise<void> {
  const words = new RegExp(`^${places} places? · saved`)
  await expect(page.getByRole('status').filter({ hasText: words })).toBeVisible()
}

/** Opens the talk by the harbour, ready to be corrected. @returns its id */
async function openHarbour(page: Page, account: NewAccount, seeded: SeededService): Promise<string> {
  const id = await seeded.seed(account, harbour(first))
  await openTranscript(page, account, id)
  await untilCorrectable(page)
  return id
}

async function correctThreePlaces(page: Page): Promise<void> {
  await correct(page, 0, 'welcome to', 'a warm welcome to')
  await correct(page, 2, 'fundation', 'foundation')
  await correct(page, 3, 'mill', 'old mill')
  await saved(page, 3)
}

test('a word is found and counted', async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await page.keyboard.press('/')
  await page.keyboard.type('harbour')
  await expect(page.getByRole('search').getByText(/^1 of 1$/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('search')).toBeHidden()
})

test('a correction stays over a reload, and markup in it is text', async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await correct(page, 0, 'Good morning', 'Indeed <b>markup</b>')
  const corrected = 'Indeed <b>markup</b> and welcome to the harbour talk.'
  await expect(turn(page, 0)).toHaveText(corrected)
  await saved(page, 1)
  await page.reload()
  await expect(turn(page, 0)).toHaveText(corrected)
})

test('two tabs show the same corrections, also undone and done again', async ({ page, account, seeded }) => {
  const id = await openHarbour(page, account, seeded)
  const before = 'Yes, people forget the mill.'
  const corrected = 'Yes, people forget the old mill.'
  await correct(page, 3, 'mill', 'old mill')
  await saved(page, 1)
  const other = await page.context().newPage()
  await openTranscript(other, account, id)
  await expect(turn(other, 3)).toHaveText(corrected)
  await page.keyboard.press('Control+z')
  for (const tab of [page, other]) await expect(turn(tab, 3)).toHaveText(before)
  await page.keyboard.press('Control+Shift+z')
  for (const tab of [page, other]) await expect(turn(tab, 3)).toHaveText(corrected)
})

test('a newer version takes the corrections that fit it; the others are decided on side by side', async ({
  page,
  account,
  seeded,
}) => {
  const id = await openHarbour(page, account, seeded)
  await correctThreePlaces(page)
  await seeded.answer(id, harbour(newer).json, harbour(newer).txt)
  await page.reload()
  await expect(turn(page, 0)).toHaveText('Well, good morning and a warm welcome to the harbour talk.')
  await expect(turn(page, 2)).toHaveText('Shall we begin with the fun day shun stones?')
  await expect(turn(page, 3)).toHaveText('Yes, people forget the old mill.')
  await page.getByRole('button', { name: '1 correction to decide on' }).click()
  const dialog = page.getByRole('dialog', { name: 'The text changed where you had corrected it' })
  await expect(dialog.getByRole('listitem')).toContainText('fun day shun')
  await expect(dialog.getByRole('listitem')).toContainText('foundation')
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Use mine' }).click()
  await expect(dialog).toBeHidden()
  await expect(turn(page, 2)).toHaveText('Shall we begin with the foundation stones?')
  await saved(page, 3)
})

test('earlier versions can be gone back to: the one before a newer transcript, and the own text of the service', async ({
  page,
  account,
  seeded,
}) => {
  const id = await openHarbour(page, account, seeded)
  await correct(page, 0, 'welcome to', 'a warm welcome to')
  await saved(page, 1)
  await seeded.answer(id, harbour(newer).json, harbour(newer).txt)
  await page.reload()
  const corrected = 'Well, good morning and a warm welcome to the harbour talk.'
  await expect(turn(page, 0)).toHaveText(corrected)
  await saved(page, 1)
  await page.getByRole('button', { name: 'Versions' }).click()
  await expect(page.getByRole('dialog', { name: 'Versions' })).toContainText('Before the newer transcript')
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Go back to it' }).last().click()
  await expect(turn(page, 0)).toHaveText('Well, good morning and welcome to the harbour talk.')
  await page.keyboard.press('Control+z')
  await expect(turn(page, 0)).toHaveText(corrected)
})

test('corrections are carried to another device: exported there, imported over the plain text here', async ({
  page,
  account,
  seeded,
}) => {
  await openHarbour(page, account, seeded)
  await correctThreePlaces(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const corrections = await (await download).path()
  await page.getByRole('button', { name: 'Versions' }).click()
  await page.getByRole('button', { name: 'Go back to it' }).last().click()
  await expect(turn(page, 3)).toHaveText('Yes, people forget the mill.')
  await page.getByLabel('File of corrections').setInputFiles(corrections)
  await expect(turn(page, 3)).toHaveText('Yes, people forget the old mill.')
  await saved(page, 3)
})

test('a turn is merged with the one before, and undone', async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await turn(page, 1).dblclick({ position: { x: 8, y: 12 } })
  await page.getByRole('button', { name: 'Merge up' }).click()
  await expect(page.getByRole('article')).toHaveCount(3)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('article')).toHaveCount(4)
})

test('by keyboard alone a turn gets another speaker and is split', async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await page.getByRole('region', { name: 'Transcript' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('F6')
  const tools = page.getByRole('toolbar', { name: 'Correcting a turn' })
  await expect(tools.getByRole('button', { name: 'Bob Okafor' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /^Somebody else/ }).press('Enter')
  await page.getByRole('dialog', { name: 'Who speaks in this turn?' }).getByLabel('Name').fill('Cem Aydin')
  await expectNoAxeFindings(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article').nth(1).getByRole('heading', { name: 'Cem Aydin' })).toBeVisible()
  await expect(page.getByRole('article').nth(1)).toBeFocused()

  // The turn has the focus again; a new one begins at its second word.
  await page.keyboard.press('Enter')
  await field(page).press('Control+ArrowRight')
  await field(page).press('Control+Enter')
  await expect(page.getByRole('article')).toHaveCount(5)
  await expect(turn(page, 1)).toHaveText('Thank')
})

test('a word is replaced everywhere, and undone at once', async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await page.keyboard.press('/')
  await page.keyboard.type('the ')
  await page.getByRole('button', { name: 'Replace' }).click()
  await page.getByLabel('Replace with').fill('that ')
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'All 3' }).click()
  await expect(turn(page, 0)).toHaveText('Good morning and welcome to that harbour talk.')
  await expect(turn(page, 3)).toHaveText('Yes, people forget that mill.')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(turn(page, 3)).toHaveText('Yes, people forget the mill.')
})

test('a speaker is renamed everywhere; two names for one person become one', async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await page.getByRole('button', { name: 'Rename Ann Lee' }).click()
  await page.getByLabel('New name of Ann Lee').fill('Ada Obi')
  await page.keyboard.press('Enter')
  for (const index of [0, 2])
    await expect(page.getByRole('article').nth(index).getByRole('heading', { name: 'Ada Obi' })).toBeVisible()
  await page.getByRole('button', { name: 'Rename Ada Obi' }).click()
  await page.getByLabel('New name of Ada Obi').fill('Bob Okafor')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Rename Ada Obi' })).toBeHidden()
  await expect(page.getByRole('article').first().getByRole('heading', { name: 'Bob Okafor' })).toBeVisible()
})

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const) {
  test(`axe finds nothing at ${width}, reading in both themes and correcting`, async ({ page, account, seeded }) => {
    await page.setViewportSize({ width, height })
    await openHarbour(page, account, seeded)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect(page.getByRole('article').first()).toBeVisible()
      await expectNoAxeFindings(page)
    }
    await turn(page, 0).dblclick({ position: { x: 8, y: 12 } })
    await expect(page.getByRole('toolbar', { name: 'Correcting a turn' })).toBeVisible()
    await expectNoAxeFindings(page)
  })
}

test('the corrected text is made on this device, captions as asked for and the PDF too, under the strict policy', async ({
  page,
  account,
  seeded,
}) => {
  await openHarbour(page, account, seeded)
  await correct(page, 0, 'Good', 'Corrected שלום <b>here</b>')
  await saved(page, 1)

  const take = async (label: string): Promise<string> => {
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('menuitem', { name: /^Corrected text/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Take the corrected text' })
    await dialog.getByRole('combobox', { name: /^Format/ }).click()
    await page.getByRole('option', { name: new RegExp(`^${label}\\b`) }).click()
    if (label === 'SRT') {
      await dialog.getByLabel('Letters a line').fill('16')
      await dialog.getByLabel('Letters a second').fill('8')
      await expectNoAxeFindings(page)
    }
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save the file' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^Harbour talk corrected\./)
    await expect(dialog).toBeHidden()
    return file.path()
  }
  for (const label of ['TXT', 'VTT']) expect(await readFile(await take(label), 'utf8')).toContain('שלום')
  const srt = await readFile(await take('SRT'), 'utf8')
  const lines = srt.split('\n').filter((line) => line !== '' && !line.includes('-->') && !/^\d+$/.test(line))
  expect(Math.max(...lines.map((line) => line.replace(/^- /, '').length))).toBeLessThanOrEqual(18)
  await expect(page.getByText(/^\d+ captions? go(es)? over the limits$/).first()).toBeVisible()
  expect((await readFile(await take('DOCX'))).subarray(0, 2).toString()).toBe('PK')
  const { stdout } = await run('pdftotext', [await take('PDF'), '-'])
  // The reader puts what stands beside a word in Hebrew where it will.
  expect(stdout).toMatch(/Corrected.*שלום.*here<\/b> morning/)
})
