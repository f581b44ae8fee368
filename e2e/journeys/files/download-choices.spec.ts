import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { safeFileName } from '../../../src/contract/interface/file-name.ts'
import { authorization } from '../../../src/service/testing/ask-api.ts'
import { textOfPages } from '../../kit/downloaded-text.ts'
import { setFaults } from '../../kit/faults.ts'
import { rowOf, tool } from '../../kit/files-page.ts'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import { correct, harbour, harbourText, openHarbour, saved } from '../../kit/harbour-talk.ts'
import { test } from '../../kit/seeded-transcripts.ts'
import { signIn } from '../../kit/sign-in.ts'
import { manyCorrections } from '../../proofs/bench/kept-corrections.ts'

/* Download options: the preview matches the file. */

const choose = (page: Page, label: string, value: string) =>
  page.getByRole('combobox', { name: label, exact: true }).selectOption(value)
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })

async function openPanel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await page.getByRole('menuitem', { name: /^More formats/ }).click()
  await expect(page.getByRole('dialog', { name: /^Download/ })).toBeVisible()
}

async function saveBy(page: Page, button: string, timeout = 30_000): Promise<{ name: string; content: Buffer }> {
  const download = page.waitForEvent('download', { timeout })
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click()
  const file = await download
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test.describe(`at ${width}`, () => {
    test('names, times, header, spacing and doubts are chosen, and the file matches its preview', {
      tag: '@slow',
    }, async ({ page, account, seeded }) => {
      await openHarbour(page, account, seeded)
      await page.setViewportSize({ width, height })
      await openPanel(page)
      await expect(preview(page)).toContainText('Good morning')
      await choose(page, 'Format', 'txt')
      await expect(preview(page)).toContainText('00:00 Ann Lee: Good morning and welcome')
      await choose(page, 'Names', 'none')
      await choose(page, 'Times', 'every')
      await page.getByLabel('Seconds between times').fill('5')
      await choose(page, 'Header', 'off')
      await choose(page, 'Spacing', 'double')
      await page.getByLabel('Mark words in doubt').check()
      await page.getByLabel('File name').fill('../{date} {name}')
      await expect(page.getByText('A name has no folders')).toBeVisible()
      const begin = '[00:00] Good morning and [welcome?] to'
      await expect(preview(page)).toContainText(begin)
      await expectNoAxeFindings(page)
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      const shown = await preview(page).locator('pre').textContent()
      const { name, content } = await saveBy(page, 'Download')
      expect(name).toMatch(/^_\d{4}-\d\d-\d\d Harbour talk\.txt$/)
      expect(content.toString()).toBe(shown)
      expect(content.toString().startsWith(begin)).toBe(true)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await openPanel(page)
      await choose(page, 'Format', 'txt')
      await expect(page.getByRole('combobox', { name: 'Spacing' }), 'it is remembered').toHaveValue('double')
      await choose(page, 'Format', 'md')
      await expect(page.getByRole('combobox', { name: 'Spacing' }), 'by format').toHaveValue('order')
    })
  })
}

test('a preset is made, used in a second browser, renamed and deleted', { tag: '@slow' }, async ({
  page,
  sandboxAccount,
  service,
  browser,
  baseURL,
}) => {
  await tool(service, sandboxAccount, 'files', { seconds: 60, progress_percent: 100, name: 'Hearing' })
  const open = async (on: Page) => {
    await signIn(on, sandboxAccount.key)
    await on.getByRole('button', { name: 'Download all before they are removed' }).click()
    await expect(preview(on)).toContainText(/00:00/)
  }
  const menu = (on: Page) => on.getByRole('button', { name: 'Presets' }).click()
  await open(page)
  await choose(page, 'Format', 'md')
  await choose(page, 'Times', 'none')
  await menu(page)
  await page.getByRole('menuitem', { name: 'Save these choices…' }).click()
  await page.getByLabel('Name', { exact: true }).fill('For the court')
  await page.getByRole('button', { name: 'Save preset' }).click()
  await expect(page.getByRole('dialog', { name: /^Save these/ })).toHaveCount(0)

  const context = await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }) })
  const other = await context.newPage()
  await open(other)
  await menu(other)
  await other.getByRole('menuitem', { name: /^For the court/ }).click()
  await expect(other.getByRole('combobox', { name: 'Format' })).toHaveValue('md')
  await expect(other.getByRole('combobox', { name: 'Times' })).toHaveValue('none')
  await expect(preview(other)).toContainText('# Hearing')
  await expect(preview(other)).not.toContainText('00:00')
  await menu(other)
  await other.getByRole('menuitem', { name: 'Rename For the court…' }).click()
  await other.getByLabel('Name', { exact: true }).fill('Court')
  await other.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(other.getByRole('dialog', { name: /^Rename/ })).toHaveCount(0)
  await menu(other)
  await other.getByRole('menuitem', { name: 'Delete Court' }).click()
  await menu(other)
  await expect(other.getByRole('menuitem', { name: 'Save these choices…' })).toBeVisible()
  await expect(other.getByRole('menuitem', { name: /ourt/ })).toHaveCount(0)
  await context.close()
})

test('many files download with the chosen layout and names, with corrections, and failures are listed', {
  tag: '@slow',
}, async ({ page, account, seeded }) => {
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }))
  await seeded.seed(account, harbour(harbourText))
  const broken = await seeded.seed(account, { ...harbour(harbourText), name: 'Broken' })
  await openHarbour(page, account, seeded)
  await correct(page, 2, 'fundation', 'foundation')
  await saved(page, 1)
  await page.getByRole('link', { name: 'Back to files' }).click()
  await expect(rowOf(page, 'Broken')).toBeVisible()
  await seeded.answer(broken, 'no words')
  await page.getByRole('checkbox', { name: 'Select all files shown' }).check()
  await page.getByRole('button', { name: 'Download all as ZIP' }).click()
  await choose(page, 'Format', 'txt')
  await choose(page, 'Names', 'full')
  await choose(page, 'Times', 'none')
  await page.getByLabel('File name').fill('{speakers}/{name}')
  const { content } = await saveBy(page, 'Save ZIP')
  await expect(page.getByRole('dialog')).toContainText('Saved 2 of 3.')
  const files = Object.entries(unzipSync(content)).map(
    ([name, bytes]) => [name, Buffer.from(bytes).toString()] as const,
  )
  expect(files.map(([name]) => name).sort()).toEqual([
    'Ann Lee, Bob Okafor_Harbour talk (2).txt',
    'Ann Lee, Bob Okafor_Harbour talk.txt',
    'Missing files.txt',
  ])
  const texts = Object.fromEntries(files)
  expect(texts['Missing files.txt']).toContain('Broken')
  const both = Object.values(texts).filter((text) => text.includes('\nAnn Lee: Shall we begin with'))
  expect(both).toHaveLength(2)
  expect(both.filter((text) => text.includes('the foundation stones'))).toHaveLength(1)

  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Download all as ZIP' }).click()
  await choose(page, 'Format', 'pdf')
  await page.getByRole('radio', { name: 'One document' }).click({ force: true })
  await page.getByLabel('File name').fill('{date} {name}')
  await expect(preview(page)).toContainText('Page 1 of…')
  await expectNoAxeFindings(page)
  const { name, content: pdf } = await saveBy(page, 'Save document')
  await expect(page.getByRole('dialog')).toContainText('Saved 2 of 3.')
  expect(name).toMatch(/^\d{4}-\d\d-\d\d .* and 2 more\.pdf$/)
  const pages = textOfPages(pdf)
  expect(pages).toHaveLength(2)
  for (const text of pages) expect(text).toMatch(/^ ?Harbour talk .*Good morning/)
  expect(pages.filter((text) => text.includes('the foundation stones'))).toHaveLength(1)
  // A line may end behind the id, which is wide or narrow.
  expect(pages[1]?.replace(`${broken} )`, `${broken})`)).toMatch(
    /missing from this document: Broken \([0-9a-f-]+\): .*Page 2 of 2/,
  )

  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Download all as ZIP' }).click()
  await choose(page, 'Format', 'pdf')
  await expect(page.getByRole('radio', { name: 'One document' }), 'the choice is remembered').toBeChecked()
})

/** Names that some file system would refuse or treat as equal. */
const awkwardNames = [
  'CON',
  'nul',
  'Talk',
  'talk',
  'TALK',
  '../up',
  'AC/DC',
  'What? *',
  'مقابلة',
  'é'.repeat(200),
  '. .',
  'a\u202eb',
]

test('sixty corrected documents come in one ZIP, named safely and each once, with a report of what is missing', {
  tag: '@slow',
}, async ({ page, service, sandboxAccount }) => {
  test.setTimeout(240_000)
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }))
  const headers = {
    Authorization: authorization(sandboxAccount.key),
    'Content-Type': 'application/json',
    'If-Match': '"0"',
  }
  const ids: string[] = []
  const [count, lost] = [60, 2]
  for (let index = 0; index < count; index++) {
    const name = awkwardNames[index % awkwardNames.length] as string
    const { id } = await tool(service, sandboxAccount, 'files', { seconds: 30, progress_percent: 100, name })
    const json = await (await fetch(new URL(`/sandbox/v1/file/${id}.json`, service.url), { headers })).text()
    const address = new URL(`/sandbox/account/files/${id}/corrections`, service.url)
    const { ok } = await fetch(address, { method: 'POST', headers, body: manyCorrections(json, 1) })
    expect(ok).toBe(true)
    ids.push(id)
  }
  const broken = ids.filter((_, index) => index % 40 === 7)
  const words = (id: string) => `/sandbox/v1/file/${id}.json`
  await setFaults(service, { failPaths: Object.fromEntries(broken.map((id) => [words(id), 9])) })
  await signIn(page, sandboxAccount.key)
  await page.getByRole('button', { name: 'Download all before they are removed' }).click()
  await choose(page, 'Format', 'docx')
  await page.getByLabel('File name').fill('{name}')
  const { content } = await saveBy(page, 'Save ZIP', 200_000)
  await expect(page.getByRole('dialog')).toContainText(`Saved ${count - lost} of ${count}.`)
  const { 'Missing files.txt': report, ...files } = unzipSync(content)
  for (const id of broken)
    expect(Buffer.from(report ?? []).toString()).toContain(`(${id}): The fault switch answers 500.`)
  const names = Object.keys(files)
  expect(names).toHaveLength(count - lost)
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(count - lost)
  expect(names.map(safeFileName)).toEqual(names)
  for (const [name, bytes] of Object.entries(files)) {
    const document = Buffer.from(unzipSync(bytes)['word/document.xml'] ?? []).toString()
    expect(document, name).toContain('typed0')
  }
})
