import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect } from '@playwright/test'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import {
  correct,
  correctThreePlaces,
  harbour,
  newer,
  openConflicts,
  openHarbour,
  saved,
  turn,
} from '../../kit/harbour-talk.ts'
import { test } from '../../kit/seeded-transcripts.ts'
import { openTask } from '../../kit/transcript-tasks.ts'

const run = promisify(execFile)

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
  await openConflicts(page, 1)
  const dialog = page.getByRole('dialog', { name: 'Conflicts' })
  await expect(dialog.getByRole('listitem')).toContainText('fun day shun')
  await expect(dialog.getByRole('listitem')).toContainText('foundation')
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Use mine' }).click()
  await expect(dialog).toBeHidden()
  await expect(turn(page, 2)).toHaveText('Shall we begin with the foundation stones?')
  await saved(page, 3)
})

test("earlier versions can be restored: the one before a newer transcript, and the service's own text", async ({
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
  await openTask(page, 'Edit')
  await page.getByRole('button', { name: 'Versions' }).click()
  await expect(page.getByRole('dialog', { name: 'Versions' })).toContainText('Before the new transcript')
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Restore' }).last().click()
  await expect(turn(page, 0)).toHaveText('Well, good morning and welcome to the harbour talk.')
  // An open dialog captures all keys, even while it fades out.
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('Control+z')
  await expect(turn(page, 0)).toHaveText(corrected)
})

test('corrections move to another device: exported on one, imported over the uncorrected text on the other', async ({
  page,
  account,
  seeded,
}) => {
  await openHarbour(page, account, seeded)
  await correctThreePlaces(page)
  const download = page.waitForEvent('download')
  await openTask(page, 'Edit')
  await page.getByRole('button', { name: 'Versions' }).click()
  await page.getByRole('button', { name: 'Save a copy…' }).click()
  const corrections = await (await download).path()
  await page.getByRole('button', { name: 'Restore' }).last().click()
  await expect(turn(page, 3)).toHaveText('Yes, people forget the mill.')
  await openTask(page, 'Edit')
  await page.getByRole('button', { name: 'Versions' }).click()
  await page.getByLabel('Corrections file').setInputFiles(corrections)
  await expect(turn(page, 3)).toHaveText('Yes, people forget the old mill.')
  await saved(page, 3)
})

test('the corrected text is rendered on this device, including captions and the PDF, under the strict CSP', {
  tag: '@slow',
}, async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await correct(page, 0, 'Good', 'Corrected שלום <b>here</b>')
  await saved(page, 1)

  const take = async (label: string): Promise<string> => {
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByRole('menuitem', { name: /^More formats/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Download corrected transcript' })
    await dialog.getByRole('combobox', { name: /^Format/ }).selectOption(label.toLowerCase())
    if (label === 'SRT') {
      await dialog.getByRole('combobox', { name: 'Caption rules' }).selectOption({ label: 'Parley rules' })
      await dialog.getByLabel('Characters per line').fill('16')
      await dialog.getByLabel('Characters per second').fill('8')
      await expectNoAxeFindings(page)
    }
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^Harbour talk corrected\./)
    await expect(dialog).toBeHidden()
    return file.path()
  }
  for (const label of ['TXT', 'VTT']) expect(await readFile(await take(label), 'utf8')).toContain('שלום')
  const srt = await readFile(await take('SRT'), 'utf8')
  const lines = srt.split('\n').filter((line) => line !== '' && !line.includes('-->') && !/^\d+$/.test(line))
  expect(Math.max(...lines.map((line) => line.replace(/^- /, '').length))).toBeLessThanOrEqual(18)
  await expect(page.getByText(/\d+ captions?, \d+ breaks? a rule/).first()).toBeVisible()
  expect((await readFile(await take('DOCX'))).subarray(0, 2).toString()).toBe('PK')
  const { stdout } = await run('pdftotext', [await take('PDF'), '-'])
  // The PDF reader may place text next to a Hebrew word anywhere.
  expect(stdout).toMatch(/Corrected.*שלום.*here<\/b> morning/)
})
