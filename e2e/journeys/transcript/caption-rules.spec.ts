import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import type { FilePage } from '../../../src/contract/account/file-pages.ts'
import { captionStyles } from '../../../src/formats/captions/caption-rules.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { sendOneLate } from '../../kit/bad-network.ts'
import { openOn, sample } from '../../kit/devices.ts'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import { correct, saved } from '../../kit/harbour-talk.ts'
import { test } from '../../kit/seeded-transcripts.ts'
import { openCaptions, openTask, pressFormat } from '../../kit/transcript-tasks.ts'

const options = (page: Page) => page.getByRole('listbox', { name: 'Captions' }).getByRole('option')
const rules = (page: Page) => page.getByRole('combobox', { name: 'Caption rules' })
const noBlanks = (text: string) => text.replaceAll(/\s+/g, '')

async function listCaptions(page: Page): Promise<void> {
  await openCaptions(page)
  await expect(options(page).first()).toBeVisible()
}

/** The texts of an SRT's captions. */
const cuesOf = (srt: string) =>
  srt
    .trim()
    .split('\n\n')
    .map((cue) => cue.split('\n').slice(2).join(' '))

/** The captions of the file that comes when something is pressed; a ZIP holds one. */
async function cuesBy(page: Page, press: () => Promise<void>): Promise<string[]> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  const content = await readFile(await file.path())
  if (!file.suggestedFilename().endsWith('.zip')) return cuesOf(content.toString())
  return Object.values(unzipSync(content)).flatMap((bytes) => cuesOf(Buffer.from(bytes).toString()))
}

/** Compares with the captions view: their number, and the texts of those in sight. */
async function expectAsOnScreen(page: Page, what: string, cues: readonly string[]): Promise<void> {
  const count = await page.getByText(/^\d+ captions?, /).textContent()
  expect(cues.length, what).toBe(Number(count?.split(' ')[0]))
  const shown = await options(page).allTextContents()
  for (const [index, text] of shown.entries()) expect(noBlanks(text), what).toContain(noBlanks(cues[index] ?? '…'))
}

test('a transcript has one set of caption rules, in the view, on other devices and in each file', {
  tag: '@slow',
}, async ({ browser, service, sandboxAccount }) => {
  const id = await sample(service, sandboxAccount)
  const client = accountClient(service.url, sandboxAccount.key)
  await client.read('PUT', 'program-text', { program_text: 'corrected' })
  const desk = await openOn(browser, service, sandboxAccount, id)
  const sofa = await openOn(browser, service, sandboxAccount, id)
  const headerSrt = () => cuesBy(desk, () => pressFormat(desk, 'SRT'))
  const before = (await headerSrt()).length
  await listCaptions(desk)
  await rules(desk).selectOption({ label: 'BBC rules' })
  await expect(desk.getByText(`${before} captions, `)).toBeHidden()
  await listCaptions(sofa)
  await expect(rules(sofa)).toHaveValue('bbc')

  const fromApi = async () => cuesOf(await (await askApi(service.url, sandboxAccount.key, `file/${id}.srt`)).text())
  const fromHeader = await headerSrt()
  await expect(desk.getByText(`SRT · BBC rules · ${fromHeader.length} captions`)).toBeVisible()
  await expectAsOnScreen(desk, 'SRT of the page', fromHeader)
  await expectAsOnScreen(sofa, 'SRT on the other device', fromHeader)
  expect(await fromApi(), 'SRT for programs').toEqual(fromHeader)

  // Own rules, and a correction: both devices, all ways.
  await desk.getByRole('button', { name: 'Change the rules' }).click()
  await desk.getByRole('dialog').getByLabel('Characters per line').fill('26')
  await desk.getByRole('button', { name: 'Use these rules' }).click()
  await expect(rules(sofa)).toHaveValue('own')
  await desk.getByRole('button', { name: 'Back to the text' }).click()
  await correct(desk, 0, 'sample', 'small sample')
  await saved(desk, 1)
  await desk.reload()
  await listCaptions(desk)
  await expect(rules(desk)).toHaveValue('own')
  const own = await headerSrt()
  await expectAsOnScreen(desk, 'SRT of the page by own rules', own)
  expect(own.join(' ')).toContain('small sample')
  expect(own.length).toBeGreaterThan(fromHeader.length)
  expect(await fromApi(), 'SRT for programs by own rules').toEqual(own)

  await desk.getByRole('button', { name: 'Back to the text' }).click()
  await desk.getByRole('button', { name: 'Download', exact: true }).click()
  await expect(desk.getByRole('menuitem', { name: 'SRT' })).toContainText('own rules')
  await desk.getByRole('menuitem', { name: 'More formats and settings…' }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Format', exact: true }).selectOption('srt')
  await expect(dialog.getByText('As in the captions view: own rules').first()).toBeVisible()
  expect(await cuesBy(desk, () => dialog.getByRole('button', { name: 'Download' }).click()), 'dialog').toEqual(own)

  // A fresh page, which knows of the file only from the list.
  await sofa.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }))
  await sofa.goto('/sandbox')
  await sofa.getByRole('button', { name: 'Formats of Shared talk' }).click()
  expect(await cuesBy(sofa, () => sofa.getByRole('menuitem', { name: /^SRT/ }).click()), 'row').toEqual(own)
  await sofa.getByRole('checkbox', { name: 'Select Shared talk' }).check()
  await sofa.getByRole('button', { name: 'Download all as ZIP' }).click()
  await sofa.getByRole('combobox', { name: 'Format', exact: true }).selectOption('srt')
  expect(await cuesBy(sofa, () => sofa.getByRole('button', { name: 'Save ZIP' }).click()), 'ZIP').toEqual(own)
})

test('captions that are shifted and stretched are so on screen and in each file, which is undone', {
  tag: '@slow',
}, async ({ browser, service, sandboxAccount }) => {
  const id = await sample(service, sandboxAccount)
  await accountClient(service.url, sandboxAccount.key).read('PUT', 'program-text', { program_text: 'corrected' })
  const page = await openOn(browser, service, sandboxAccount, id)
  await listCaptions(page)
  const begin = options(page)
    .first()
    .getByText(/^\d+:\d\d\.\d\d\s+\d+:\d\d\.\d\d$/)
    .first()
  const before = await begin.textContent()
  await page.getByRole('button', { name: 'More for all captions' }).click()
  await page.getByRole('menuitem', { name: 'Shift or stretch…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Shift all captions' })
  const by = dialog.getByLabel('Later by (seconds)')
  await by.fill('-3')
  await expect(dialog.getByRole('alert')).toContainText('it cannot begin before 0:00')
  await by.fill('2.5')
  const last = dialog.getByLabel('The last caption begins at')
  await last.fill('0:01')
  await expect(dialog.getByRole('alert')).toContainText('They can be stretched by 0.9 to 1.1.')
  await last.fill('')
  await expect(dialog.getByRole('alert')).toContainText('is not a time')
  await expect(dialog.getByRole('button', { name: 'Shift captions' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'More for all captions' }).click()
  await page.getByRole('menuitem', { name: 'Shift or stretch…' }).click()
  const preview = dialog.getByRole('status')
  await by.fill('600')
  await expect(preview).toContainText('The last caption ends after the recording')
  await by.fill('2.5')
  await expect(preview).toContainText('2.5 s later')
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Shift captions' }).click()
  await expect(page.getByText(/^\d+ captions, .* · 2\.5 s later$/)).toBeVisible()
  await expect(begin).toHaveText(/^0:02\.50\s/)
  const [file] = await Promise.all([page.waitForEvent('download'), pressFormat(page, 'SRT')])
  await expect(page.getByText(/SRT · Parley rules, 2\.5 s later · \d+ captions/)).toBeVisible()
  const srt = await readFile(await file.path(), 'utf8')
  expect(srt).toContain('1\n00:00:02,500 --> ')
  const api = async (format: string) =>
    await (await askApi(service.url, sandboxAccount.key, `file/${id}.${format}`)).text()
  expect(await api('srt')).toBe(srt)
  expect(await api('sbv')).toMatch(/^0:00:02\.500,/)
  // One history: a split, the shift, and other rules, each undone and redone by the same buttons.
  const count = Number((await page.getByText(/^\d+ captions, /).textContent())?.split(' ')[0])
  await page.getByRole('listbox', { name: 'Captions' }).focus()
  await page.keyboard.press('s')
  await expect(page.getByText(`${count + 1} captions, `)).toBeVisible()
  // Undo that is pressed before the service has answered takes back the rules, too, and not the step before them.
  await sendOneLate(page, '**/caption-rules')
  await rules(page).selectOption({ label: 'DCMP rules' })
  await expect(page.getByText(`${count + 1} captions, `)).toBeHidden()
  const undo = page.getByRole('button', { name: 'Undo', exact: true }).first()
  await undo.click()
  await expect(rules(page)).toHaveValue('parley')
  await expect(page.getByText(`${count + 1} captions, `)).toBeVisible()
  await undo.click()
  await expect(page.getByText(`${count} captions, `)).toContainText('2.5 s later')
  await undo.click()
  await expect(begin).toHaveText(before ?? '')
  expect(await api('srt')).not.toBe(srt)
  await page.getByRole('button', { name: 'Redo', exact: true }).click()
  await expect(begin).toHaveText(/^0:02\.50\s/)
  // Also without the captions on screen, after a reload.
  await page.getByRole('button', { name: 'Back to the text' }).click()
  await page.reload()
  await expect(page.getByRole('article').first()).toBeVisible()
  // Once the history is read.
  await openTask(page, 'Edit')
  await expect(undo).toBeEnabled()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Captions by Parley rules', { exact: true })).toBeVisible()
  await listCaptions(page)
  await expect(begin).toHaveText(before ?? '')
  // Rules that another device has set meanwhile stay.
  await page.getByRole('button', { name: 'Redo', exact: true }).click()
  await expect(begin).toHaveText(/^0:02\.50\s/)
  const client = accountClient(service.url, sandboxAccount.key)
  await client.read('PUT', `files/${id}/caption-rules`, captionStyles.bbc)
  await expect(rules(page)).toHaveValue('bbc')
  await undo.click()
  await expect(page.getByText('The caption rules were changed since, and stay')).toBeVisible()
  await expect(rules(page)).toHaveValue('bbc')
  // Captions that are moved beyond the end are a warning in the list.
  await client.read('PUT', `files/${id}/caption-rules`, {
    ...captionStyles.parley,
    timing: { stretch: 1, shiftSeconds: 600 },
  })
  await expect(options(page).first()).toContainText('Ends after the recording, which ends at ')
})

test('captions of a file take the place of ours, shown before, in every file after, which is undone', {
  tag: '@slow',
}, async ({ browser, service, sandboxAccount }) => {
  const id = await sample(service, sandboxAccount)
  const client = accountClient(service.url, sandboxAccount.key)
  await client.read('PUT', 'program-text', { program_text: 'corrected' })
  const timing = { stretch: 1, shiftSeconds: 2 }
  await client.read('PUT', `files/${id}/caption-rules`, { ...captionStyles.parley, timing })
  const page = await openOn(browser, service, sandboxAccount, id)
  await listCaptions(page)
  const status = page.getByText(/^\d+ captions, /)
  await expect(status).toContainText(' · 2 s later')
  const before = await status.textContent()
  const [ours] = await Promise.all([page.waitForEvent('download'), pressFormat(page, 'SRT')])
  const srt = await readFile(await ours.path(), 'utf8')
  const changed = srt
    .replace('sample file of the sandbox.', 'small sample that is far too long for a line of anybody')
    .replace(/^2\n(\S+) -->/m, (all, start) => all.replace(start, '00:00:05,000'))
  await page.getByRole('button', { name: 'More for all captions' }).click()
  await page.getByRole('menuitem', { name: 'Import SRT, VTT or SBV…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import captions' })
  const choose = async (content: string) =>
    await dialog
      .getByLabel('SRT, WebVTT or SBV file')
      .setInputFiles({ name: 'a.srt', mimeType: 'text/plain', buffer: Buffer.from(content) })
  await choose('Dear all')
  await expect(dialog.getByRole('alert')).toContainText('No captions were found in this file.')
  await choose(changed)
  await expect(dialog.getByRole('status')).toContainText(/^\d+ captions, 1 with other words$/)
  await expect(dialog.getByText('1 overlaps: the earlier one ends when the next begins')).toBeVisible()
  await expect(dialog.getByText('Captions take the times of the file, no longer 2 s later')).toBeVisible()
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Use these captions' }).click()
  const wanted = changed.replace(/^(1\n\S+ --> )\S+/, '$100:00:05,000')
  await expect(options(page).first()).toContainText('far too long for a line of anybody')
  await expect(options(page).first()).toContainText('Line too long')
  await expect(status).not.toContainText('later')
  const api = async () => await (await askApi(service.url, sandboxAccount.key, `file/${id}.srt`)).text()
  await expect.poll(api).toBe(wanted)
  const [file] = await Promise.all([page.waitForEvent('download'), pressFormat(page, 'SRT')])
  expect(await readFile(await file.path(), 'utf8')).toBe(wanted)
  await page.reload()
  await expect(options(page).first()).toContainText('far too long for a line of anybody')
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
  await expect(status).toHaveText(before ?? '')
})

test('rules that are used for new files are those of the next one, in its view, its file, and the settings', {
  tag: '@slow',
}, async ({ browser, service, sandboxAccount }) => {
  const page = await openOn(browser, service, sandboxAccount, await sample(service, sandboxAccount))
  await listCaptions(page)
  const forNewFiles = async (name: RegExp) => {
    await page.getByRole('button', { name: 'More for all captions' }).click()
    return page.getByRole('menuitem', { name })
  }
  await expect(await forNewFiles(/^Use Parley rules for new files/)).toBeDisabled()
  await page.keyboard.press('Escape')
  await rules(page).selectOption({ label: 'BBC rules' })
  await (await forNewFiles(/^Use BBC rules for new files/)).click()
  await expect(page.getByText('Captions of new files begin with BBC rules')).toBeVisible()
  const next = await openOn(browser, service, sandboxAccount, await sample(service, sandboxAccount))
  await listCaptions(next)
  await expect(rules(next)).toHaveValue('bbc')
  await expectAsOnScreen(next, 'the next file', await cuesBy(next, () => pressFormat(next, 'SRT')))
  await next.goto('/sandbox/settings/ordering#captions')
  await expect(rules(next)).toHaveValue('bbc')
  await expectNoAxeFindings(next)
  await rules(next).selectOption({ label: 'Parley rules' })
  await expect(next.getByText('Captions of new files begin with Parley rules')).toBeVisible()
  await openOn(browser, service, sandboxAccount, await sample(service, sandboxAccount)).then(listCaptions)
  await expect(await forNewFiles(/^Use BBC rules for new files/)).toBeEnabled()
})

test('of rules that are chosen one after the other the last ones stay, whichever line is slower', async ({
  browser,
  service,
  sandboxAccount,
}) => {
  const id = await sample(service, sandboxAccount)
  const page = await openOn(browser, service, sandboxAccount, id)
  await listCaptions(page)
  await sendOneLate(page, '**/caption-rules')
  const answerTo = (gapFrames: number) =>
    page.waitForResponse((response) => response.request().postDataJSON()?.gapFrames === gapFrames)
  // Netflix's rules and the BBC's.
  const answers = Promise.all([answerTo(captionStyles.netflix.gapFrames), answerTo(captionStyles.bbc.gapFrames)])
  await rules(page).selectOption({ label: 'Netflix rules' })
  await rules(page).selectOption({ label: 'BBC rules' })
  await answers
  const { files } = await accountClient(service.url, sandboxAccount.key).read<FilePage>('GET', 'files')
  expect(files.find((file) => file.id === id)?.caption_rules).toMatchObject(captionStyles.bbc)
  await expect(rules(page)).toHaveValue('bbc')
})

test('undo takes back late or refused rules, and no other step made meanwhile', { tag: '@slow' }, async ({
  browser,
  service,
  sandboxAccount,
}) => {
  const page = await openOn(browser, service, sandboxAccount, await sample(service, sandboxAccount))
  // A slow disk
  await page.evaluate(() => {
    const listen = IDBTransaction.prototype.addEventListener
    IDBTransaction.prototype.addEventListener = function (type: string, heard: unknown, ...more: unknown[]) {
      const late = (event: Event) => setTimeout(() => (heard as (event: Event) => void)(event), 1_500)
      listen.call(this, type, type === 'complete' ? late : (heard as EventListener), ...(more as []))
    }
  })
  await listCaptions(page)
  const list = page.getByRole('listbox', { name: 'Captions' })
  const undo = page.getByRole('button', { name: 'Undo', exact: true }).first()
  const count = Number((await page.getByText(/^\d+ captions, /).textContent())?.split(' ')[0])
  const split = async (captions: number) => {
    await list.press('s')
    await expect(page.getByText(`${captions} captions, `)).toBeVisible()
  }
  await list.press('End')
  await split(count + 1)
  await page.route('**/caption-rules', async (route) => setTimeout(() => void route.continue(), 1_500), { times: 1 })
  const answer = page.waitForResponse('**/caption-rules')
  await rules(page).selectOption({ label: 'Netflix rules' })
  await undo.click()
  await answer
  await list.press('s')
  await expect(rules(page)).toHaveValue('parley')
  await expect(page.getByText(`${count + 2} captions, `)).toBeVisible()

  await page.route('**/caption-rules', (route) => route.abort(), { times: 1 })
  await rules(page).selectOption({ label: 'BBC rules' })
  await expect(page.getByText('The caption rules were not changed')).toBeVisible()
  await undo.click()
  await expect(page.getByText(`${count + 1} captions, `)).toBeVisible()
  await expect(page.getByText(/ · saved /).first()).toBeVisible()
  await page.reload()
  await expect(rules(page)).toHaveValue('parley')
  await expect(page.getByText(`${count + 1} captions, `)).toBeVisible()

  // Chosen, undone and redone without a pause, on a slow line
  await page.route('**/caption-rules', async (route) => setTimeout(() => void route.continue(), 500), { times: 6 })
  let answers = 0
  page.on('response', (response) => {
    if (response.url().endsWith('/caption-rules')) answers += 1
  })
  await rules(page).evaluate((select: HTMLSelectElement) => {
    for (const style of ['bbc', 'netflix', 'bbc']) {
      select.value = style
      select.dispatchEvent(new Event('change', { bubbles: true }))
    }
  })
  for (const key of ['Control+z', 'Control+z', 'Control+y']) await list.press(key)
  await expect.poll(() => answers).toBe(6)
  await expect(rules(page)).toHaveValue('netflix')
  await expect(page.getByText('The caption rules were changed since')).toHaveCount(0)
  await page.reload()
  await expect(rules(page)).toHaveValue('netflix')
})
