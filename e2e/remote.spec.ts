import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { speak } from '../src/service/recognition/testing/speak.ts'
import { test as base, expectNoAxeFindings } from './fixtures.ts'
import { ServiceProcess } from './service-process.ts'
import { signIn, signInPage } from './sign-in.ts'

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
