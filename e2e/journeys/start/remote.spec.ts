import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { expect } from '@playwright/test'
import { dataPaths } from '../../../src/service/platform/data-directory.ts'
import { openFsBlobStore } from '../../../src/service/platform/media/fs-blob-store.ts'
import { speak } from '../../../src/service/recognition/testing/speak.ts'
import { storedWordsJson } from '../../../src/service/text/transcripts/stored-words.ts'
import { rowOf, storedBytes } from '../../kit/files-page.ts'
import { test as base, expectNoAxeFindings } from '../../kit/fixtures.ts'
import { seedFiles } from '../../kit/seed-files.ts'
import { wordsOf } from '../../kit/seeded-transcripts.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { signIn, signInPage } from '../../kit/sign-in.ts'

/* The dashboard in front of another service. */

const test = base.extend<{ front: ServiceProcess }>({
  front: async ({ service }, use) => {
    const front = await ServiceProcess.start({ REMOTE: new URL('/v1/', service.url).href })
    await use(front)
    await front.remove()
  },
})

test('in front of another service: order, read, take away', async ({ page, front, account }) => {
  await signIn(page, account.key, { at: signInPage(front) })
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Automated/ }).check()
  await page.getByLabel('Choose files').setInputFiles(await speak('The people of the city are here.', 'Remote.wav'))
  await page.getByRole('button', { name: 'Upload and order 1 file' }).click()
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Remote', exact: true }) })
  await expect(row.getByText('Ready')).toBeVisible({ timeout: 90_000 })

  await page.getByRole('link', { name: 'Remote', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('00:00')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /^SRT/ }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toMatch(/^1\r?\n00:00:/)
  await expectNoAxeFindings(page)
})

/** A finished file with words, in the service itself. */
async function seedTalk({ dataDir }: ServiceProcess, account: string, name: string, text: string): Promise<void> {
  const [id = ''] = await seedFiles(dataDir, account, 'live', [{ name }])
  const words = wordsOf(text).map(({ turn, ...word }) => ({
    ...word,
    speaker: 0,
    ...(turn === true && { turn: true as const }),
  }))
  const blobs = await openFsBlobStore(dataPaths(dataDir).blobs)
  await blobs.write(id, 'words.json', Readable.from(storedWordsJson(words)))
}

test('in front of another service: words are found in what was opened on this device, and the page says so', async ({
  page,
  service,
  front,
  account,
}) => {
  await seedTalk(service, account.account, 'Tape 1', 'We went down to the old mill.|Then home.')
  await seedTalk(service, account.account, 'Tape 2', 'Nobody goes to the mill.')
  await signIn(page, account.key, { at: signInPage(front) })
  await page.getByRole('link', { name: 'Tape 1', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('old mill')
  await expect.poll(async () => (await storedBytes(page, 'parley-words')).length).toBe(1)
  await page.goBack()
  await page.getByRole('searchbox').fill('old MILL')
  const sentence = rowOf(page, 'Tape 1').getByRole('link', { name: /We went down to the old mill/ })
  await expect(sentence.locator('mark')).toHaveText('old mill')
  const said = page.getByText(
    'This service does not search words: found are those in transcripts opened on this device.',
  )
  await expect(said).toBeVisible()
  await expectNoAxeFindings(page)
  await page.getByRole('searchbox').fill('mill')
  await expect(page.getByText('1 of 2 files')).toBeVisible()
  await sentence.click()
  await expect(page).toHaveURL(/#w=6&play$/)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('nobody goes')
  await expect(page.getByText(/No results in .*, or in the transcripts opened on this device\./)).toBeVisible()
})

test('in front of another service: one environment, no demo, and usage is kept elsewhere', async ({
  page,
  front,
  account,
}) => {
  await page.goto(new URL('/', front.url).href)
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Sandbox' })).toHaveCount(0)
  await expect(page.getByText('demo account')).toHaveCount(0)
  await signIn(page, account.key, { at: null })
  await expect(page.getByRole('navigation', { name: 'Environment' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Usage' })).toHaveCount(0)
  await expectNoAxeFindings(page)
  await signIn(page, account.key, { at: new URL('/live/usage', front.url) })
  await expect(page.getByText('This service has its own page for this.')).toBeVisible()
  await expectNoAxeFindings(page)
})
