import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { contentText } from '../../kit/downloaded-text.ts'
import { pressMore, rowOf } from '../../kit/files-page.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { seedFiles } from '../../kit/seed-files.ts'
import { signIn } from '../../kit/sign-in.ts'

/* Organizing many files: names, notes, tags, the archive. */

test.beforeEach(async ({ service, sandboxAccount }) => {
  const client = accountClient(service.url, sandboxAccount.key)
  for (const name of ['REC_0042', 'REC_0043', 'Board meeting']) {
    await client.read('POST', 'tools/files', { name, seconds: 60, progress_percent: 100 })
  }
})

test('a file gets a name, a note and tags, is found by them, and its download has the name', { tag: '@slow' }, async ({
  page,
  service,
  sandboxAccount: { key },
}) => {
  await signIn(page, key)
  await page.getByRole('button', { name: 'More for REC_0042' }).click()
  await page.getByRole('menuitem', { name: 'Name, note, tags…' }).click()
  const dialog = page.getByRole('dialog')
  await expectNoAxeFindings(page)
  await dialog.getByLabel('Name').fill('Interview with Ada')
  await dialog.getByLabel('Tags').fill('Fieldwork, 2026')
  await dialog.getByLabel('Tags').press('Enter')
  await dialog.getByLabel('Note').fill('She comes to the lighthouse at the end.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const row = rowOf(page, 'Interview with Ada')
  await expect(row).toContainText('2026 · Fieldwork')
  await expect(page.getByText('REC_0042')).toHaveCount(0)
  const search = page.getByLabel('Search names and speakers')
  for (const asked of ['lighthouse', 'tag:fieldwork', 'ada']) {
    await search.fill(asked)
    await expect(rowOf(page, 'REC_0043')).toHaveCount(0)
    await expect(row).toBeVisible()
  }
  await search.fill('')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('tag')
  await page.getByRole('option', { name: /^Fieldwork/ }).click()
  await expect(search).toHaveValue('tag:"Fieldwork"')
  await expect(rowOf(page, 'REC_0043')).toHaveCount(0)
  const download = page.waitForEvent('download')
  await row
    .getByRole('button', { name: /^Download/ })
    .first()
    .click()
  expect((await download).suggestedFilename()).toMatch(/^Interview with Ada\.\w+$/)
  const document = page.waitForEvent('download')
  await row.getByRole('button', { name: 'Formats of Interview with Ada' }).click()
  await page.getByRole('menuitem', { name: /^ODT/ }).click()
  const odt = await readFile(await (await document).path())
  expect(contentText('a.odt', odt), 'headed by the label').toContain('Interview with Ada')
  const answer = await accountClient(service.url, key).read<{ files: { metadata: { name: string } }[] }>('GET', 'files')
  expect(answer.files.map(({ metadata }) => metadata.name)).toContain('REC_0042')
  await page.reload()
  await signIn(page, key, { at: null })
  await expect(rowOf(page, 'Interview with Ada')).toBeVisible()
})

test('two people change a file at once: each keeps what the other did not touch, and sees what was replaced', {
  tag: '@slow',
}, async ({ page, service, sandboxAccount: { key } }) => {
  await signIn(page, key)
  await page.getByRole('button', { name: 'More for REC_0043' }).click()
  await page.getByRole('menuitem', { name: 'Name, note, tags…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Mine')
  const colleague = accountClient(service.url, key)
  const { files } = await colleague.read<{ files: { id: string; metadata: { name: string } }[] }>('GET', 'files')
  const ids = files.filter(({ metadata }) => metadata.name === 'REC_0043').map(({ id }) => id)
  await colleague.read('PATCH', 'labels', { ids, name: 'Theirs', note: 'Second take.', add_tags: ['theirs'] })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Somebody else had changed the name meanwhile')).toBeVisible()
  await expect(page.getByText('It was: Theirs. Undo brings it back.')).toBeVisible()
  await expect(rowOf(page, 'Mine')).toContainText('theirs')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, 'Theirs')).toContainText('theirs')
  const after = await colleague.read<{ files: { id: string; labels?: { note: string } }[] }>('GET', 'files')
  expect(after.files.find(({ id }) => id === ids[0])?.labels?.note).toBe('Second take.')
})

test('many files are tagged and archived with one click, and restored with one', { tag: '@slow' }, async ({
  page,
  browser,
  sandboxAccount: { key },
}) => {
  await signIn(page, key)
  for (const name of ['REC_0042', 'REC_0043']) await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  const bar = page.getByRole('region', { name: 'Selected files' })
  await bar.getByRole('button', { name: 'Tags…' }).click()
  await page.getByRole('dialog').getByLabel('Add to all').fill('Spring')
  await page.getByRole('dialog').getByLabel('Add to all').press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(rowOf(page, 'REC_0042')).toContainText('Spring')
  await expect(rowOf(page, 'REC_0043')).toContainText('Spring')
  // Another browser is notified.
  const other = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage()
  await signIn(other, key)
  await pressMore(page, 'Archive')
  await expect(rowOf(page, 'REC_0042')).toHaveCount(0)
  await expect(rowOf(other, 'REC_0043')).toHaveCount(0)
  await expect(rowOf(other, 'Board meeting')).toBeVisible()
  // All counts are those of the list, and what it leaves out is named.
  await expect(page.getByRole('link', { name: /^Files/ })).toHaveText('Files, 1')
  await expect(page.getByRole('button', { name: 'All 1', exact: true })).toBeVisible()
  await expect(page.getByText(/^1 file · .* · 2 archived$/)).toBeVisible()
  const search = page.getByLabel('Search names and speakers')
  await search.fill('is:archived')
  await expect(rowOf(page, 'REC_0042')).toContainText('archived')
  await expect(rowOf(page, 'Board meeting')).toHaveCount(0)
  await search.fill('')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(rowOf(page, 'REC_0042')).toBeVisible()
  await expect(rowOf(other, 'REC_0043')).toContainText('Spring')
  await other.context().close()
})

test('an archived file leaves no placeholder, and a list of archived files alone names them', async ({
  page,
  sandboxAccount: { key },
}) => {
  await signIn(page, key)
  await expect(rowOf(page, 'REC_0043')).toBeVisible()
  const grid = page.getByRole('grid', { name: 'Files' })
  // The heading of the day is lower than a row.
  const heightOf = async () => (await grid.boundingBox())?.height ?? 0
  const rowHeight = (await rowOf(page, 'REC_0042').boundingBox())?.height ?? 0
  const before = await heightOf()
  await page.getByRole('button', { name: 'More for REC_0042' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(rowOf(page, 'REC_0042')).toHaveCount(0)
  await expect.poll(async () => Math.round(before - (await heightOf()))).toBe(Math.round(rowHeight))
  for (const name of ['REC_0043', 'Board meeting']) await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  await pressMore(page, 'Archive')
  await expect(page.getByRole('heading', { name: 'All files are archived' })).toBeVisible()
  await page.getByRole('button', { name: 'Show archived files' }).click()
  await expect(page.getByLabel('Search names and speakers')).toHaveValue('is:archived')
  await expect(grid.getByRole('checkbox', { name: /^Select (REC|Board)/ })).toHaveCount(3)
})

test('an archive of more files than one request restores is undone for all of them', { tag: '@slow' }, async ({
  page,
  service,
  sandboxAccount: { account, key },
}) => {
  const samples = Array.from({ length: 1_200 }, (_, index) => ({ name: `Take ${index}` }))
  await seedFiles(service.dataDir, account, 'sandbox', samples)
  await signIn(page, key)
  await page.getByRole('checkbox', { name: 'Select all files shown' }).check()
  await pressMore(page, 'Archive')
  await expect(page.getByText('0 files · 1,203 archived')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByRole('button', { name: 'All 1,203', exact: true })).toBeVisible()
})
