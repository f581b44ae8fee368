import { readFile } from 'node:fs/promises'
import { type Download, expect, type Locator, type Page } from '@playwright/test'
import { transcriptFormats } from '../../../src/contract/interface/transcript-formats.ts'
import { speak } from '../../../src/service/recognition/testing/speak.ts'
import { narrationId, needsClips, speechClips } from '../../../src/service/recognition/testing/speech-clips.ts'
import { tool } from '../../kit/files-page.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { signIn, submitKey } from '../../kit/sign-in.ts'
import { sessionOf, storeSession } from '../../kit/stored-session.ts'

test.use({ engine: 'pocketsphinx' })

const spokenText = 'The people of the city want to know what the president said about the war.'

/** How each format's file begins: enough to detect a wrong or empty response. */
const beginnings: Record<(typeof transcriptFormats)[number], string> = {
  txt: 'Town meeting',
  doc: 'd0cf11e0',
  pdf: '%PDF-1.',
  odt: 'PK',
  srt: '1\n00:00:',
  sbv: '0:00:0',
  json: '[',
}

/** Lower-case words without punctuation, as a set for comparison with the reference text. */
function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z']+/g) ?? [])
}

/** How many of these words are visible. */
async function countOf(words: ReadonlySet<string>, place: Locator): Promise<number> {
  const shown = wordsOf(await place.innerText())
  return [...words].filter((word) => shown.has(word)).length
}

async function order(page: Page, recording: string): Promise<void> {
  await page.getByRole('link', { name: 'New order' }).first().click()
  await expect(page.getByRole('heading', { name: 'New order', level: 1 })).toBeVisible()
  await page.getByRole('radio', { name: /Automated/ }).check()
  await page.getByLabel('Choose files').setInputFiles(recording)
  const pay = page.getByRole('button', { name: /^Upload and pay \$\d+\.\d\d$/ })
  await expect(pay).toBeEnabled()
  await expectNoAxeFindings(page)
  await pay.click()
  await expect(page.getByRole('heading', { name: /^Order of /, level: 1 })).toBeVisible()
}

async function expectReady(page: Page, name: string): Promise<void> {
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  await expect(row.getByText('Ready')).toBeVisible({ timeout: 90_000 })
}

async function expectWhole(
  download: Download,
  name: string,
  format: (typeof transcriptFormats)[number],
): Promise<void> {
  expect(download.suggestedFilename()).toBe(`${name}.${format}`)
  const content = await readFile(await download.path())
  expect(content.length).toBeGreaterThan(40)
  const start = format === 'doc' ? content.toString('hex', 0, 4) : content.toString('latin1').replaceAll('\r', '')
  expect(start.startsWith(beginnings[format]), `${format} begins as it should`).toBe(true)
}

test('from a key to a transcript', async ({ page, account }) => {
  const recording = await speak(spokenText, 'Town meeting.wav')

  await page.goto('/')
  await expect(page).toHaveURL(/\/sign-in/)
  await expectNoAxeFindings(page)
  await submitKey(page, 'parley_live_0000000000000000000000000000000000000000')
  await expect(page.getByText(/not valid/)).toBeVisible()
  await signIn(page, account.key)
  await expectNoAxeFindings(page)

  await order(page, recording)
  await expectReady(page, 'Town meeting')
  await expectNoAxeFindings(page)

  await page.getByRole('link', { name: 'Town meeting', exact: true }).click()
  const transcript = page.getByRole('region', { name: 'Transcript' })
  // A synthetic voice and an offline recognizer: a third of the words proves that recognition works.
  const spoken = wordsOf(spokenText)
  await expect.poll(() => countOf(spoken, transcript)).toBeGreaterThan(spoken.size / 3)
  await expectNoAxeFindings(page)
})

test('a transcript is downloaded in every format, and deleted', async ({ page, service, sandboxAccount }) => {
  const { id } = await tool(service, sandboxAccount, 'files', {
    seconds: 30,
    progress_percent: 100,
    name: 'Town meeting',
  })
  await storeSession(page, sessionOf(sandboxAccount, 'sandbox'))
  await page.goto(`/sandbox/files/${id}`)
  for (const format of transcriptFormats) {
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: new RegExp(`^${format.toUpperCase()}\\b`) }).click()
    await expectWhole(await download, 'Town meeting', format)
  }

  await page.getByRole('link', { name: 'Back to files' }).click()
  await page.getByRole('button', { name: 'More for Town meeting' }).click()
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await expect(page.getByRole('dialog')).toContainText('there is no refund')
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Delete 1 file' }).click()
  await expect(page.getByRole('link', { name: 'Town meeting', exact: true })).toHaveCount(0)
})

test('a real recording: at least half of its words are recognized', async ({ page, account }) => {
  const narration = speechClips().find(({ id }) => id === narrationId)
  test.skip(narration === undefined, needsClips)
  if (narration === undefined) return
  await signIn(page, account.key)
  await order(page, narration.path)
  await expectReady(page, 'narration-az-audio2')
  await page.getByRole('link', { name: 'narration-az-audio2' }).click()
  const transcript = page.getByRole('region', { name: 'Transcript' })
  const reference = wordsOf(narration.ref)
  await expect.poll(() => countOf(reference, transcript)).toBeGreaterThanOrEqual(reference.size / 2)
})
