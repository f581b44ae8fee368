import { expect, type Page } from '@playwright/test'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { openOn, sample } from '../../kit/devices.ts'
import { rowOf } from '../../kit/files-page.ts'
import { expectNoAxeFindings, openPage, test } from '../../kit/fixtures.ts'
import { correct, saved, turn } from '../../kit/harbour-talk.ts'
import type { NewAccount } from '../../kit/service-process.ts'
import { sessionOf, storeSession } from '../../kit/stored-session.ts'

/* What a page says while it is on its way, does not come, or has no connection. */

const usageCode = '**/assets/usage-route-*.js'
const main = (page: Page) => page.locator('main')
const strip = (page: Page) => page.getByText('Offline, showing what is here')

async function openFiles(page: Page, account: NewAccount): Promise<void> {
  await storeSession(page, sessionOf(account))
  await page.goto('/live/files')
  await expect(page.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible()
}

test('a page that takes its time shows that it comes, and one whose code is lost for a moment comes, too', async ({
  page,
  account,
}) => {
  await openFiles(page, account)
  const { promise, resolve } = Promise.withResolvers<void>()
  let asked = 0
  await page.route(usageCode, async (route) => {
    asked += 1
    if (asked === 1) return await route.abort()
    await promise
    await route.continue()
  })
  await page.getByRole('link', { name: 'Usage', exact: true }).click()
  await expect(main(page)).toHaveAttribute('aria-busy', 'true')
  await expect.poll(() => asked).toBe(2)
  resolve()
  await expect(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible()
  await expect(main(page)).not.toHaveAttribute('aria-busy')
})

test('a page whose code does not come leaves the navigation, and claims nothing', async ({ page, account }) => {
  await storeSession(page, sessionOf(account))
  await page.route(usageCode, (route) => route.abort())
  await page.goto('/live/files')
  await page.getByRole('link', { name: 'Usage', exact: true }).click()
  await expect(page.getByText('This page could not be loaded')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(page.getByText(/charged/)).toHaveCount(0)
  await expectNoAxeFindings(page)
  await openPage(page, 'Settings')
})

test('a page opened offline for the first time says so, and comes once the connection is back', async ({
  page,
  account,
}) => {
  await openFiles(page, account)
  for (const name of ['Usage', 'New order'] as const) {
    await page.context().setOffline(true)
    await page.getByRole('link', { name, exact: true }).first().click()
    await expect(main(page)).toContainText('This device is offline. The page loads once the connection is back.')
    // A reload would leave Parley.
    await expect(main(page).getByRole('button')).toHaveCount(0)
    await page.context().setOffline(false)
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  }
})

test('offline is said once on every page; a correction is not called saved, and a text comes by itself later', async ({
  browser,
  service,
  sandboxAccount,
}) => {
  const id = await sample(service, sandboxAccount)
  const page = await openOn(browser, service, sandboxAccount, id)
  const context = page.context()
  await context.setOffline(true)
  await expect(strip(page)).toBeVisible()
  await correct(page, 0, 'sample', 'bridge')
  await expect(page.getByText('1 correction · on this device, not sent yet').first()).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByText('On this device, not sent yet', { exact: true })).toBeVisible()
  await expectNoAxeFindings(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.getByRole('alert')).toHaveCount(0)
  await context.setOffline(false)
  await expect(strip(page)).toHaveCount(0)
  await saved(page, 1)

  await page.getByRole('link', { name: 'Back to files' }).click()
  await expect(rowOf(page, 'Shared talk')).toBeVisible()
  await context.setOffline(true)
  await expect(strip(page)).toBeVisible()
  await page.getByRole('link', { name: 'Shared talk' }).click()
  await expect(page.getByText('The transcript could not be loaded')).toBeVisible()
  await context.setOffline(false)
  await expect(turn(page, 0)).toContainText('bridge')
})

test('a conflict is asked about above the player, on a phone as on a desk', { tag: '@slow' }, async ({
  browser,
  service,
  sandboxAccount,
}) => {
  const id = await sample(service, sandboxAccount)
  const phone = await openOn(browser, service, sandboxAccount, id)
  const desk = await openOn(browser, service, sandboxAccount, id)
  await phone.setViewportSize({ width: 390, height: 844 })
  await phone.context().setOffline(true)
  await correct(phone, 0, 'sample', 'bridge')
  await correct(desk, 0, 'sample', 'beach')
  await saved(desk, 1)
  await phone.context().setOffline(false)
  const bar = phone.getByRole('region', { name: 'Conflicts' })
  await expect(bar).toHaveText('1 conflict · “beach” or “bridge”?Choose')
  for (const colorScheme of ['light', 'dark'] as const) {
    await phone.emulateMedia({ colorScheme })
    await expectNoAxeFindings(phone)
  }
  await bar.getByRole('button', { name: 'Choose' }).click()
  await phone.getByRole('dialog').getByRole('button', { name: 'Use mine' }).click()
  await expect(bar).toHaveCount(0)
  await expect(turn(desk, 0)).toHaveText('This is a bridge file of the sandbox.')
})

test('by keyboard: the text has the focus when it opens, and again when the palette closes', async ({
  page,
  service,
  sandboxAccount,
}) => {
  const id = await sample(service, sandboxAccount)
  await storeSession(page, sessionOf(sandboxAccount, 'sandbox'))
  await page.goto('/sandbox/files')
  await rowOf(page, 'Shared talk').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('article').nth(1)).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
  // The text below is drawn again meanwhile.
  const { read } = accountClient(service.url, sandboxAccount.key)
  await read('PATCH', 'labels', { ids: [id], begins_at_seconds: 15 * 3_600 })
  await expect(page.locator('article time').first()).toHaveText('15:00:00')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('article').nth(1)).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Usage')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible()
  await expect(main(page)).toBeFocused()
})
