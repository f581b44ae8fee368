import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { speak } from '../../../src/service/recognition/testing/speak.ts'
import { rowOf } from '../../kit/files-page.ts'
import { test as base, expectNoAxeFindings } from '../../kit/fixtures.ts'
import { seedFiles } from '../../kit/seed-files.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { signIn, signInPage } from '../../kit/sign-in.ts'

/* The dashboard in remote mode, in front of another service. */

const test = base.extend<{ front: ServiceProcess }>({
  front: async ({ service }, use) => {
    const front = await ServiceProcess.start({ REMOTE: new URL('/v1/', service.url).href })
    await use(front)
    await front.remove()
  },
})

test('in front of another service: order, read, download', { tag: '@slow' }, async ({ page, front, account }) => {
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

test('in front of another service: files are found by name alone, and the page says so', async ({
  page,
  service,
  front,
  account,
}) => {
  await seedFiles(service.dataDir, account.account, 'live', [{ name: 'Mill talk' }, { name: 'River talk' }])
  await signIn(page, account.key, { at: signInPage(front) })
  await expect(rowOf(page, 'River talk')).toBeVisible()
  await page.getByRole('searchbox').fill('MILL')
  await expect(page.getByText('1 of 2 files')).toBeVisible()
  await expect(rowOf(page, 'Mill talk')).toBeVisible()
  const notice = page.getByText('This service does not search the words of transcripts, only names of files.')
  await expect(notice).toBeVisible()
  await expectNoAxeFindings(page)
  await page.keyboard.press('Control+k')
  const field = page.getByPlaceholder('Search files, pages, and commands')
  await field.fill('river')
  await expect(page.getByRole('option', { name: 'River talk' })).toBeVisible()
  await field.fill('nobody goes')
  await expect(page.getByText('No results in your files, pages or commands.')).toBeVisible()
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
