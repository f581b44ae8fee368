import { expect, type Page } from '@playwright/test'
import { plainSentence, speak } from '../../../src/service/recognition/testing/speak.ts'
import { downloadedText } from '../../kit/downloaded-text.ts'
import { rowOf } from '../../kit/files-page.ts'
import { test as base } from '../../kit/fixtures.ts'
import { placeOf, saved } from '../../kit/harbour-talk.ts'
import { dropOnApp, payButton } from '../../kit/order-page.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { signIn } from '../../kit/sign-in.ts'
import { allStored } from '../../kit/stored-in-browser.ts'
import { openTask, pressFormat } from '../../kit/transcript-tasks.ts'

/* The first steps after installing Parley, with the key printed at its first start. */

const test = base.extend<object, { service: ServiceProcess }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs off this pattern
    async ({}, use) => {
      const service = await ServiceProcess.start({ OFFLINE: '1' })
      await use(service)
      await service.remove()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

const recordings = () =>
  Promise.all([
    speak(plainSentence, 'Town meeting.wav'),
    speak('The people of the city are here.', 'Reading circle.wav', 'm3'),
    speak('We want to know what the president said.', 'Interview.wav', 'f2'),
  ])

async function download(page: Page, press: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  return downloadedText(await file.path(), file.suggestedFilename())
}

/** Downloads the open transcript from its header. */
async function takeFromPage(page: Page, format: string): Promise<string[]> {
  return [await download(page, () => pressFormat(page, format))]
}

/** Downloads the same transcript from the list: from its row, and with all others as a ZIP. */
async function takeFromList(page: Page, format: string): Promise<string[]> {
  await page.getByRole('button', { name: 'Formats of Town meeting' }).click()
  const fromRow = await download(page, () => page.getByRole('menuitem', { name: new RegExp(`^${format}\\b`) }).click())
  await page.getByRole('button', { name: 'Download all as ZIP' }).click()
  const zip = await download(page, () => page.getByRole('button', { name: 'Save ZIP' }).click())
  await page.getByRole('button', { name: 'Done' }).click()
  return [fromRow, zip]
}

test('from the printed key to corrected files, and no key is left behind', async ({ page, service }) => {
  const [key = ''] = /parley_live_\w+/.exec(service.output) ?? []
  const addresses: string[] = []
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }))
  await signIn(page, key, { at: '/', keep: true })

  await dropOnApp(page, await recordings())
  await page.getByRole('radio', { name: /Automated/ }).check()
  await expect(page.getByRole('table', { name: 'Files to order' })).toHaveAttribute('aria-rowcount', '4')
  await payButton(page).click()
  for (const name of ['Town meeting', 'Reading circle', 'Interview'])
    await expect(rowOf(page, name).getByText('Ready')).toBeVisible({ timeout: 90_000 })

  await page.getByRole('link', { name: 'Town meeting', exact: true }).click()
  const text = page.getByRole('article').first().getByRole('paragraph')
  const heard = await text.innerText()
  const [, word = ''] = heard.split(' ')
  // Retries: if the layout shifts between lookup and click, the word has moved.
  await expect(async () => {
    await page.mouse.dblclick(...(await placeOf(page, word)))
    await expect(page.getByRole('textbox', { name: 'Text of this turn' })).toBeFocused({ timeout: 3_000 })
  }).toPass()
  await page.keyboard.type('foundation')
  await page.keyboard.press('Enter')
  await saved(page, 1)
  await openTask(page, 'Read')
  await page.getByRole('button', { name: 'Rename Speaker 1' }).click()
  await page.keyboard.type('Ada Obi')
  await page.keyboard.press('Enter')
  await saved(page, 2)
  const corrected = heard.replace(word, 'foundation')
  await expect(text).toHaveText(corrected)

  await page.reload()
  await saved(page, 2)
  await expect(text).toHaveText(corrected)
  const [pdfs, captions] = [await takeFromPage(page, 'PDF'), await takeFromPage(page, 'SRT')]
  await page.getByRole('link', { name: 'Back to files' }).click()
  await page.getByRole('checkbox', { name: /^Select all/ }).check()
  pdfs.push(...(await takeFromList(page, 'PDF')))
  captions.push(...(await takeFromList(page, 'SRT')))
  for (const pdf of pdfs) expect(pdf).toContain(`Ada Obi ${corrected}`)
  // Captions contain no speaker names.
  for (const srt of captions) expect(srt).toContain(corrected)

  expect(await page.evaluate(allStored), 'signed in until the tab closes').toContain(key)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByLabel('API key', { exact: true })).toBeVisible()
  await expect.poll(() => page.evaluate(allStored)).not.toContain(key)
  expect(addresses.join()).not.toContain(key)
})
