import { expect, type Page } from '@playwright/test'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { openSettings, test } from '../../kit/fixtures.ts'
import { signIn } from '../../kit/sign-in.ts'

/** Clicks; `check` would fail if a refused choice is reverted before it looks. */
const choose = (page: Page, name: string) => page.getByRole('radio', { name }).click({ force: true })
const html = (page: Page) => page.locator('html')

test('appearance is stored with the account', async ({ page, account, browser, baseURL }) => {
  await signIn(page, account.key)
  await openSettings(page, 'Display and notifications')
  await choose(page, 'Dark')
  const saved = page.waitForResponse(
    (response) => response.request().method() === 'PATCH' && response.request().postData()?.includes('clock') === true,
  )
  await choose(page, '12 hours')
  expect((await saved).ok()).toBe(true)
  const context = await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }) })
  const elsewhere = await context.newPage()
  await signIn(elsewhere, account.key)
  await expect(html(elsewhere)).toHaveAttribute('data-theme', 'dark')
  await openSettings(elsewhere, 'Display and notifications')
  await expect(elsewhere.getByRole('radio', { name: '12 hours' })).toBeChecked()
  await context.close()
})

test('two tabs change the theme and a preset at the same time: both are there after a reload', {
  tag: '@slow',
}, async ({ page, account, browser, baseURL }) => {
  const context = await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }) })
  const other = await context.newPage()
  await signIn(page, account.key)
  await signIn(other, account.key)
  await openSettings(page, 'Display and notifications')
  const newPreset = async () => {
    await other.getByRole('link', { name: 'New order' }).first().click()
    await other.getByRole('button', { name: 'Presets' }).click()
    await other.getByRole('menuitem', { name: /Save these options/ }).click()
    await other.getByLabel('Name', { exact: true }).fill('Hearings')
  }
  await newPreset()
  await Promise.all([choose(page, 'Dark'), other.getByRole('button', { name: 'Save preset' }).click()])
  await expect(other.getByRole('dialog')).toHaveCount(0)
  // The other tab follows without a reload.
  await expect(html(other)).toHaveAttribute('data-theme', 'dark')

  for (const tab of [page, other]) {
    await tab.reload()
    await signIn(tab, account.key, { at: null })
    await expect(html(tab)).toHaveAttribute('data-theme', 'dark')
    await tab.getByRole('link', { name: 'New order' }).first().click()
    await tab.getByRole('button', { name: 'Presets' }).click()
    await expect(tab.getByRole('menuitem', { name: 'Hearings', exact: true })).toBeVisible()
    await tab.keyboard.press('Escape')
  }
  await context.close()
})

test('a change from elsewhere rewrites the dates and leaves what is being typed', async ({
  page,
  sandboxAccount: { key },
  service,
}) => {
  const change = (preferences: unknown) => accountClient(service.url, key).read('PATCH', 'settings', { preferences })
  await signIn(page, key)
  await openSettings(page, 'Keys')
  // The dialog hides it from assistive technology.
  const used = page.getByText(/last used today/)
  await page.getByRole('button', { name: 'New key…' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Half a na')
  await change({ clock: '12', density: 'compact' })
  await expect(used).toContainText(/\d{1,2}:\d\d\s[ap]m/i)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half a na')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await openSettings(page, 'Ordering')
  await page.getByRole('switch', { name: /Strict verbatim/ }).click()
  await change({ theme: 'dark' })
  await expect(html(page)).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByRole('switch', { name: /Strict verbatim/ })).toBeChecked()
})

test('a change from elsewhere updates the open list of files', async ({ page, sandboxAccount: { key }, service }) => {
  const client = accountClient(service.url, key)
  await client.read('POST', 'tools/files', { seconds: 60, progress_percent: 100, name: 'Hearing' })
  await signIn(page, key)
  const row = page.getByRole('row').filter({ hasText: 'Hearing' })
  await expect(row).toContainText(/ordered today, \d\d:\d\d/)
  await expect(row).toHaveCSS('height', '52px')
  await row.getByRole('checkbox').check()
  await client.read('PATCH', 'settings', { preferences: { clock: '12', density: 'compact', dateLanguage: 'de' } })
  await expect(row).toContainText(/ordered today, \d{1,2}:\d\d\s(AM|PM)/)
  await expect(row).toHaveCSS('height', '40px')
  await expect(row.getByRole('checkbox')).toBeChecked()
})

test('a rejected change is reverted, and a message says why', async ({ page, sandboxAccount: { key }, service }) => {
  await accountClient(service.url, key).read('PUT', 'settings', { notes: 'x'.repeat(64 * 1_024 - 40) })
  await signIn(page, key)
  await openSettings(page, 'Display and notifications')
  await choose(page, 'Dark')
  await expect(page.getByRole('alert').getByText(/Settings can be at most 64 kB/)).toBeVisible()
  await expect(html(page)).not.toHaveAttribute('data-theme')
  await expect(page.getByRole('radio', { name: 'System' })).toBeChecked()
})
