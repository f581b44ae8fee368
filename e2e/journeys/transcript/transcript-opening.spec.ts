import { expect, type Page } from '@playwright/test'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { counts, setFaults, test } from '../../kit/faults.ts'
import { rowOf } from '../../kit/files-page.ts'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import { field, turn } from '../../kit/harbour-talk.ts'
import { seedFiles } from '../../kit/seed-files.ts'
import { txtOf, untilCorrectable, wordsOf } from '../../kit/seeded-transcripts.ts'
import type { NewAccount, ServiceProcess } from '../../kit/service-process.ts'
import type { Faults } from '../../kit/service-with-faults.ts'
import { signIn } from '../../kit/sign-in.ts'

const talk = 'The mill stood by the river.|People forget that it was loud.'
const name = 'Mill talk'
const manual = { transcript_type: 'manual', speaker_tracking_format: 'full names' } as const

/** A finished file whose words the fault switch serves. @returns its id, and those faults */
async function seedTalk(service: ServiceProcess, { account }: NewAccount): Promise<{ id: string; faults: Faults }> {
  const [id = ''] = await seedFiles(service.dataDir, account, 'live', [{ name, seconds: 754, options: manual }])
  const bodies = { [`/v1/file/${id}.json`]: JSON.stringify(wordsOf(talk)), [`/v1/file/${id}.txt`]: txtOf(talk) }
  return { id, faults: { bodies } }
}

/** All requests for one file, in any interface. */
const requestsOf = (id: string) => [`/v1/file/${id}`, `/account/files/${id}`, `/live/account/files/${id}`]

async function expectTalk(page: Page): Promise<void> {
  await expect(page.getByText('People forget that it was loud.')).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Bob Okafor/ })).toBeVisible()
}

for (const kind of ['pages', 'HEADs'] as const) {
  test(`by ${kind}: a known row opens with its name and facts before anything of the file is answered`, async ({
    page,
    service,
    account,
  }) => {
    const { id, faults: words } = await seedTalk(service, account)
    const faults = { ...words, noAccount: kind === 'HEADs' }
    await setFaults(service, faults)
    await signIn(page, account.key, { keep: true })
    await expect(rowOf(page, name)).toContainText('Ready')

    await setFaults(service, { ...faults, hold: requestsOf(id) })
    await page.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
    await expect(page.getByText(/^12:34 · .* · Manual · Full names · ordered /)).toBeVisible()
    await expect(page.getByText('Ready', { exact: true })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'Loading the transcript…' })).toBeVisible()
    await expect.poll(async () => (await counts(service)).held).toContain(`GET /v1/file/${id}.json`)
    expect((await counts(service)).held.filter((one) => /^HEAD|files\/\w+$/.test(one))).toEqual([])

    await setFaults(service, faults)
    await expectTalk(page)
    expect((await counts(service)).heads).toBe(0)

    // Its receipt is in the list's record, too.
    await setFaults(service, { ...faults, hold: requestsOf(id) })
    await page.getByRole('link', { name: 'Back to files' }).click()
    await page.getByRole('button', { name: `More for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Receipt' }).click()
    await expect(page.getByRole('article')).toContainText(name)
    const { heads, held } = await counts(service)
    // The page before it may have requested its corrections, its review and its waveform.
    expect([heads, held.filter((asked) => !/\/(corrections|review|peaks)$/.test(asked))]).toEqual([0, []])
  })
}

test('opened by URL, words are requested in parallel with the metadata', async ({ page, service, account }) => {
  const { id, faults } = await seedTalk(service, account)
  await signIn(page, account.key, { keep: true })
  // As with a slow list: the file is not in it yet.
  const list = '/account/files'
  await setFaults(service, { ...faults, hold: [...requestsOf(id), list, `/live${list}`] })
  await page.goto(`/live/files/${id}`)
  await expect.poll(async () => (await counts(service)).held).toContain(`GET /account/files/${id}`)
  await expect.poll(async () => (await counts(service)).held).toContain(`GET /v1/file/${id}.json`)
  expect((await counts(service)).held.filter((one) => /^HEAD|files\/\w+$/.test(one))).toHaveLength(1)

  await setFaults(service, faults)
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  await expectTalk(page)
})

test('a file that is deleted elsewhere says so where it is open, and leaves what was typed', async ({
  page,
  context,
  service,
  account,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url.origin })
  const { id, faults } = await seedTalk(service, account)
  await setFaults(service, faults)
  await signIn(page, account.key, { keep: true })
  await page.getByRole('link', { name }).click()
  await expectTalk(page)
  await untilCorrectable(page)
  await turn(page, 0).dblclick({ position: { x: 8, y: 12 } })
  await field(page).fill('The old mill stood by the river.')
  await askApi(service.url, account.key, `file/${id}`, { method: 'DELETE' })
  await expect(page.getByText('This file was deleted elsewhere.')).toBeVisible()
  await expectNoAxeFindings(page)
  await expect(field(page)).toHaveText('The old mill stood by the river.')
  await page.getByRole('button', { name: 'Copy the text' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/The old mill stood by the river\.[\s\S]*People forget that it was loud\./)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'File not found' })).toBeVisible()

  await page.goto(`/live/files/${id}/receipt`)
  await expect(page.getByText('This file was deleted')).toBeVisible()
})
