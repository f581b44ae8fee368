import { test as base, expect, type Page } from '@playwright/test'
import { specDefaultOptions } from '../../../src/contract/interface/option-values.ts'
import { type FakeRecognizer, startFakeRecognizer } from '../../../src/service/recognition/testing/fake-recognizer.ts'
import { makeSpokenPieces } from '../../../src/service/recognition/testing/made-speech.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import { correct, saved, turn } from '../../kit/harbour-talk.ts'
import { payButton } from '../../kit/order-page.ts'
import { untilCorrectable } from '../../kit/seeded-transcripts.ts'
import { type NewAccount, ServiceProcess } from '../../kit/service-process.ts'
import { sessionOf, storeSession } from '../../kit/stored-session.ts'
import { openTask } from '../../kit/transcript-tasks.ts'

/* Learning a vocabulary, with a deterministic recognizer. */

const heard = 'then a northwind came and the northwind blew until northwind had won'
const right = 'Then a Nordwind came and the Nordwind blew until Nordwind had won'

const test = base.extend<{ recognizer: FakeRecognizer; service: ServiceProcess }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs off this pattern
  recognizer: async ({}, use) => {
    const recognizer = await startFakeRecognizer()
    recognizer.says = heard
    await use(recognizer)
    await recognizer.close()
  },
  service: async ({ recognizer }, use) => {
    const env = { RECOGNIZER: 'http', RECOGNIZER_URL: recognizer.url.href, OFFLINE: '1', LOG_LEVEL: 'warn' }
    const service = await ServiceProcess.start(env)
    await use(service)
    await service.remove()
  },
  baseURL: async ({ service }, use) => use(service.url.href),
})

/** Orders an automated transcript and opens it once it is ready. */
async function openOrdered(page: Page, service: ServiceProcess, { key }: NewAccount): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([makeSpokenPieces(1)], { type: 'audio/wav' }), 'Harbour talk.wav')
  const made = await askApi(service.url, key, 'files?transcript_type=automated', { method: 'POST', body: form })
  const { id } = (await made.json()) as { id: string }
  const text = async () => (await askApi(service.url, key, `file/${id}.json`)).status
  await expect.poll(text, { timeout: 30_000 }).toBe(200)
  await page.goto(`/sandbox/files/${id}`)
  await untilCorrectable(page)
}

const marked = (page: Page) => page.evaluate(() => CSS.highlights.get('vocabulary')?.size ?? 0)

test('a word corrected three times is proposed, corrects the next transcript, and is undone and counted', {
  tag: '@slow',
}, async ({ page, service, recognizer }) => {
  const account = await service.createAccount('sandbox')
  await storeSession(page, sessionOf(account, 'sandbox'))
  await openOrdered(page, service, account)
  for (const count of [1, 2, 3]) {
    await correct(page, 0, 'northwind', 'Nordwind')
    await saved(page, count)
  }
  const proposal = page.getByText('“northwind” was corrected to Nordwind 3 times. Always?')
  await expect(proposal).toBeVisible()
  for (const task of ['Captions', 'File', 'Read'] as const) {
    await openTask(page, task)
    await expect(proposal).toBeVisible()
  }
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Always write Nordwind' }).click()
  await expect(page.getByText('Always?')).toBeHidden()

  await openOrdered(page, service, account)
  expect(recognizer.prompts.at(-1)).toBe('Nordwind')
  await expect(turn(page, 0)).toHaveText(right)
  await openTask(page, 'Read')
  await expect.poll(() => marked(page)).toBe(3)
  await openTask(page, 'Edit')
  await expect(page.getByText('3 corrections by the vocabulary')).toBeVisible()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Undo Nordwind' }).first().click()
  await expect(turn(page, 0)).toHaveText(right.replace('Nordwind', 'northwind'))
  await expect(page.getByText('2 corrections by the vocabulary')).toBeVisible()
  await expect.poll(() => marked(page)).toBe(2)
  await saved(page, 2)
  await openTask(page, 'Edit')
  await page.getByRole('button', { name: 'Versions' }).click()
  await expect(page.getByText('3 corrections · Words of the vocabulary · Vocabulary')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Vocabulary', exact: true }).click()
  await expect(page.getByText('Saved 2 corrections in 1 transcript')).toBeVisible()
  await expect(page.getByRole('row', { name: /Nordwind northwind All orders 2/ })).toBeVisible()
})

test('words are added, pasted, found, changed, and removed with undo', { tag: '@slow' }, async ({ page, service }) => {
  await storeSession(page, sessionOf(await service.createAccount('sandbox'), 'sandbox'))
  await page.goto('/sandbox/settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Vocabulary' }).click()
  await expect(page.getByRole('heading', { name: 'No words yet' })).toBeVisible()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Add word…' }).click()
  await page.getByLabel('Word or name').fill('Nordwind')
  await page.getByLabel('Heard as').fill('north wind, nord vind')
  await expectNoAxeFindings(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: /Nordwind north wind, nord vind/ })).toBeVisible()
  await page.getByRole('button', { name: 'Paste a list…' }).click()
  await page.getByRole('textbox', { name: 'Words' }).fill('Sluzhba AG\tsloosh bah\nQuay, north wind')
  await page.getByRole('button', { name: 'Add 2 words' }).click()
  await expect(page.getByText('“north wind” is written “Nordwind” already.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Words' }).fill('Sluzhba AG\tsloosh bah\nQuay')
  await page.getByRole('button', { name: 'Add 2 words' }).click()
  await expect(page.getByRole('row')).toHaveCount(4)
  await page.getByLabel('Filter words').fill('sloosh')
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page).toHaveURL(/q=sloosh/)
  await page.getByRole('button', { name: 'Edit Sluzhba AG' }).click()
  await page.getByLabel('Word or name').fill('Sluzhba SE')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Remove Sluzhba SE' }).click()
  await expect(page.getByText('No match.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('row', { name: /Sluzhba SE sloosh bah/ })).toBeVisible()
  await expectNoAxeFindings(page)
})

test('an order carries the preset that was applied, whose words are for it', { tag: '@slow' }, async ({
  page,
  service,
  recognizer,
}) => {
  const account = await service.createAccount('sandbox')
  const client = accountClient(service.url, account.key)
  const options = { ...specDefaultOptions, transcript_type: 'automated' }
  await client.read('PATCH', 'settings', { presets: { 'Häfen & Co': options } })
  const entries = [{ written: 'Nordwind', heard: ['northwind'], preset: 'Häfen & Co' }]
  await client.read('POST', 'vocabulary', { entries })
  await storeSession(page, sessionOf(account, 'sandbox'))
  await page.goto('/sandbox/order')
  await page.getByRole('button', { name: 'Presets' }).click()
  await page.getByRole('menuitem', { name: 'Häfen & Co', exact: true }).click()
  const file = { name: 'Harbour.wav', mimeType: 'audio/wav', buffer: Buffer.from(makeSpokenPieces(1)) }
  await page.getByLabel('Choose files').setInputFiles(file)
  await payButton(page).click()
  await expect(page.getByText('Harbour is ready.')).toBeAttached()
  expect(recognizer.prompts).toEqual(['Nordwind'])
  await page.getByRole('link', { name: 'Harbour', exact: true }).click()
  await openTask(page, 'Edit')
  await expect(page.getByText('1 word for this order with the preset Häfen & Co.')).toBeVisible()
  await expect(turn(page, 0)).toHaveText(right)
})
