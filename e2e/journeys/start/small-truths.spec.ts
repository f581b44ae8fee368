import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { rowOf } from '../../kit/files-page.ts'
import { expectNoAxeFindings, openPage, test } from '../../kit/fixtures.ts'
import { tone } from '../../kit/recordings.ts'
import { seedFiles } from '../../kit/seed-files.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { signIn, signInPage } from '../../kit/sign-in.ts'
import { openCaptions, openTask } from '../../kit/transcript-tasks.ts'

/** Orders a recording as an API client. @returns its id */
async function order(service: ServiceProcess, key: string, path: string, name: string): Promise<string> {
  const body = new FormData()
  body.set('file', new Blob([await readFile(path)], { type: 'audio/wav' }), name)
  const made = await askApi(service.url, key, 'files?transcript_type=manual', { method: 'POST', body })
  return ((await made.json()) as { id: string }).id
}

test('a recording that is on the account twice says so, and leads to the other', async ({ page, account, service }) => {
  const path = await tone(3)
  const first = await order(service, account.key, path, 'First.wav')
  await order(service, account.key, path, 'Again.wav')
  await order(service, account.key, await tone(4), 'Another.wav')
  await signIn(page, account.key)
  await expect(rowOf(page, 'First')).toContainText('same recording as Again')
  await expect(rowOf(page, 'Again')).toContainText('same recording as First')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Same recording as another' }).click()
  await expect(page.getByRole('searchbox', { name: 'Search names and speakers' })).toHaveValue('is:duplicate')
  await expect(rowOf(page, 'Another')).toHaveCount(0)
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Again', exact: true }).click()
  await openTask(page, 'File')
  await expect(page.getByText('Same recording as', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'First', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/files/${first}$`))
})

test('a transcript of a damaged recording says in the list how much of it could be read', async ({
  page,
  account,
  service,
}) => {
  const samples = [{ name: 'Cut short', seconds: 600, readable_ms: 560_000 }, { name: 'Whole' }]
  await seedFiles(service.dataDir, account.account, 'live', samples)
  await signIn(page, account.key)
  await expect(rowOf(page, 'Cut short')).toContainText('9:20 of 10:00 readable')
  await expect(rowOf(page, 'Whole')).not.toContainText('readable')
  await expectNoAxeFindings(page)
})

test('an address without its environment leads to its page and place, also through the sign-in', async ({
  page,
  account,
}) => {
  await page.goto('/settings/money#payment')
  await signIn(page, account.key, { at: null })
  await expect(page).toHaveURL(/\/live\/settings\/money#payment$/)
  await page.goto('/usage')
  await signIn(page, account.key, { at: null, keep: true })
  await expect(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible()
  await page.goto('/settings')
  await expect(page).toHaveURL(/\/live\/settings/)
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()
  await page.goto('/usages')
  await expect(page.getByText('Page not found')).toBeVisible()
})

test('a phone has its projects one tap away, and is asked for nothing that a finger cannot do', async ({
  browser,
  account,
  service,
}) => {
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await phone.newPage()
  await signIn(page, account.key, { at: signInPage(service) })
  await page.getByRole('link', { name: 'Projects', exact: true }).tap()
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'New order' }).tap()
  await expect(page.getByText('Add recordings')).toBeVisible()
  await expect(page.getByText(/^Drop /)).toBeHidden()
  await expectNoAxeFindings(page)
  await phone.close()
})

test('rows of files grow with the font of the browser', async ({ page, account, service }) => {
  await seedFiles(service.dataDir, account.account, 'live', [{ name: 'First' }, { name: 'Second' }])
  await signIn(page, account.key, { keep: true })
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Page.enable')
  for (const standard of [24, 32]) {
    await devTools.send('Page.setFontSizes', { fontSizes: { standard } })
    await page.reload()
    // Nothing of a row is cut off or lies on the next one.
    for (const row of ['First', 'Second'].map((name) => rowOf(page, name))) {
      await expect(row).toContainText('ordered')
      const { inner, outer } = await row.evaluate((element) => ({
        inner: Math.max(
          ...[...element.querySelectorAll('span, a, button')].map((one) => one.getBoundingClientRect().bottom),
        ),
        outer: element.getBoundingClientRect().bottom,
      }))
      expect(inner).toBeLessThanOrEqual(outer + 1)
    }
  }
})

test('a late file says why and when it will be ready, and offers a link to support', { tag: '@slow' }, async ({
  page,
}) => {
  const env = { RECOGNIZER: 'sherpa', OFFLINE: '1', LOG_LEVEL: 'warn', SUPPORT_EMAIL: 'help@parley.example' }
  const service = await ServiceProcess.start(env)
  try {
    const { key, account } = await service.createAccount('live')
    const id = await order(service, key, await tone(3), 'Hearing.wav')
    await signIn(page, key, { at: signInPage(service) })
    await service.parley('delay', id, '--reason', 'poor-audio', '--until', '2098-12-01T12:00:00Z')
    await expect(rowOf(page, 'Hearing')).toContainText(/delayed · The recording is hard to understand.* · due .*2098/)
    await openPage(page, 'Settings')
    await service.parley('account', 'set', account, '--name', 'Ann & Co')
    await expect(page.getByText(`Ann & Co · account ${account}`)).toBeVisible()
    const support = page.getByRole('link', { name: 'help@parley.example' })
    await expect(support).toHaveAttribute('href', `mailto:help@parley.example?subject=Account%20${account}`)
    await expectNoAxeFindings(page)
  } finally {
    await service.remove()
  }
})

test('a subtitle file says what it buys, and comes with a report of the places that break a rule', {
  tag: '@slow',
}, async ({ page, sandboxAccount: { key }, service }) => {
  const client = accountClient(service.url, key)
  await signIn(page, key)
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: 'Manual' }).check({ force: true })
  await page.getByRole('button', { name: /^Options/ }).click()
  await page.getByRole('switch', { name: /Subtitle file/ }).click()
  await expect(page.getByText('with a report of every place that breaks one')).toBeVisible()
  await client.read('PUT', 'defaults', { subtitle_file: 'on' })
  const made = { name: 'Captioned', seconds: 120, progress_percent: 100, transcript_type: 'manual' }
  const { id } = await client.read<{ id: string }>('POST', 'tools/files', made)
  await page.goto(`${service.url.origin}/sandbox/files/${id}`)
  await signIn(page, key, { at: null })
  await openTask(page, 'Captions')
  const report = page.getByText(/captions? keep the (Parley|DCMP) rules\./)
  await expect(report).toBeVisible()
  await openCaptions(page)
  await page.getByRole('combobox', { name: 'Caption rules' }).selectOption('DCMP rules')
  await page.getByRole('button', { name: 'Back to the text' }).click()
  await expect(report).toContainText(
    /\d+ of \d+ captions keep the DCMP rules\. [\d.]+ characters per second on average/,
  )
  await expectNoAxeFindings(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save report' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('Captioned captions.csv')
  expect(await readFile(await file.path(), 'utf8')).toMatch(/^\ufeffcaption,start,end,fault,value,text\r\n\d+,/)
})

test('a new tab continues the session of an open one, stores nothing, and signing out ends both', async ({
  page,
  context,
  service,
  sandboxAccount: { key },
}) => {
  const client = accountClient(service.url, key)
  await client.read('POST', 'tools/files', { name: 'Side by side', seconds: 60, progress_percent: 100 })
  await signIn(page, key)
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Side by side' }).click({ modifiers: ['ControlOrMeta'] })
  const beside = await opened
  const heading = beside.getByRole('heading', { name: 'Side by side', level: 1 })
  await expect(heading).toBeVisible()
  expect(await beside.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))).not.toContain(key)
  await beside.reload()
  await expect(heading).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  for (const tab of [page, beside]) await expect(tab.getByLabel('API key', { exact: true })).toBeVisible()
  await beside.reload()
  await expect(beside.getByLabel('API key', { exact: true })).toBeVisible()
})
