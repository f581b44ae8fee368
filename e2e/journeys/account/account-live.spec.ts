import { expect, type Page, type Request } from '@playwright/test'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { wholeBrowserLaunch } from '../../kit/browser-launch.ts'
import { openSettings, test } from '../../kit/fixtures.ts'
import { signIn } from '../../kit/sign-in.ts'

test.use({ launchOptions: wholeBrowserLaunch })

declare global {
  interface Window {
    /** titles of the notifications shown */
    shown: string[]
    lastShown: Notification
  }
}

/** Records the notifications that the page shows; they are real. */
function watchNotifications(): void {
  window.shown = []
  window.Notification = class extends Notification {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options)
      window.shown.push(title)
      window.lastShown = this
    }
  }
}

/** Makes the page hidden: a test's window never becomes hidden automatically. */
function hide(): void {
  Object.defineProperty(document, 'hidden', { get: () => true })
}

const kinds = ['A file is ready', 'A file is delayed', 'A payment failed', 'The webhook was paused after failing']

test('notifications: each kind automatically, shown once, and a click leads to its file', { tag: '@slow' }, async ({
  page,
  context,
  service,
  sandboxAccount: { key },
}) => {
  await context.grantPermissions(['notifications'], { origin: service.url.origin })
  await page.addInitScript(watchNotifications)
  await signIn(page, key)
  const client = accountClient(service.url, key)
  const tell = (path: string, body: unknown) => client.read<{ id: string }>('POST', path, body)
  const { id } = await tell('tools/files', { seconds: 60, progress_percent: 20, name: 'Hearing' })
  const quiet = await tell('tools/files', { seconds: 60, progress_percent: 20, name: 'Minutes' })
  await expect(page.getByRole('link', { name: 'Hearing' })).toBeVisible()
  await page.evaluate(hide)
  await openSettings(page, 'Display and notifications')
  const shown = () => page.evaluate(() => window.shown)

  await page.getByRole('switch', { name: 'A payment failed' }).click()
  await tell(`tools/files/${quiet.id}/delay`, { delay_reason: 'Poor audio' })
  await client.read('PUT', 'payment', { test_card: 'declines' })
  // More than is left of the first top-up.
  const refused = await tell('tools/files', { seconds: 5 * 60 * 60, progress_percent: 0 }).catch(String)
  expect(refused).toMatch(/402.*declined/)
  await expect.poll(shown).toEqual(['A payment failed'])

  for (const name of kinds.filter((kind) => kind !== 'A payment failed'))
    await page.getByRole('switch', { name }).click()
  await tell(`tools/files/${id}/delay`, { delay_reason: 'Poor audio' })
  await expect.poll(shown).toEqual(['A payment failed', 'Hearing is delayed'])
  await tell(`tools/files/${id}/progress`, { progress_percent: 60 })
  await tell(`tools/files/${id}/progress`, { progress_percent: 100 })
  await expect.poll(shown).toEqual(['A payment failed', 'Hearing is delayed', 'Hearing is ready'])
  await page.evaluate(() => window.lastShown.dispatchEvent(new Event('click')))
  await expect(page).toHaveURL(new RegExp(`/sandbox/files/${id}$`))
})

test('a browser that allows no notifications says so, once one is wanted', async ({ page, account }) => {
  await signIn(page, account.key)
  await openSettings(page, 'Display and notifications')
  await expect(page.getByText(/does not allow notifications/)).toHaveCount(0)
  await page.getByRole('switch', { name: 'A file is ready' }).click()
  await expect(page.getByText(/does not allow notifications/)).toBeVisible()
  await expect(page.getByRole('switch', { name: 'A file is ready' })).not.toBeChecked()
})

test('tabs share one event stream, and another resumes it when the first is closed', async ({
  page,
  context,
  service,
  sandboxAccount: { key },
}) => {
  const streams: Request[] = []
  context.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/account/events')) streams.push(request)
  })
  const order = (name: string) =>
    accountClient(service.url, key).read('POST', 'tools/files', { seconds: 60, progress_percent: 20, name })
  const row = (tab: Page, name: string) => tab.getByRole('link', { name })
  await signIn(page, key)
  await expect.poll(() => streams.length).toBe(1)
  const other = await context.newPage()
  await signIn(other, key)
  await order('Told to both')
  await expect(row(page, 'Told to both')).toBeVisible()
  await expect(row(other, 'Told to both')).toBeVisible()
  expect(streams).toHaveLength(1)

  await page.close()
  await expect.poll(() => streams.length).toBe(2)
  expect(await streams[1]?.headerValue('last-event-id')).toMatch(/^\d+$/)
  await order('Told to the other')
  await expect(row(other, 'Told to the other')).toBeVisible()
  expect(streams).toHaveLength(2)
})

test('the sandbox tools bring a file into every state, on the page and in the API', async ({
  page,
  service,
  sandboxAccount: { key },
}) => {
  const program = (method: string, path: string) => askApi(service.url, key, path, { method })
  await signIn(page, key)
  await openSettings(page, 'API and webhooks')
  await page.getByLabel('Length, minutes').fill('90')
  await page.getByLabel('Progress, %', { exact: true }).fill('20')
  await page.getByRole('button', { name: 'Create sample file' }).click()
  await expect(page.getByRole('combobox', { name: 'File in progress' })).toContainText('20%')
  const [{ id } = { id: '' }] = (await (await program('GET', 'files')).json()) as { id: string }[]
  const metadata = async () => {
    const header = (await program('HEAD', `file/${id}`)).headers.get('x-service-metadata')
    return JSON.parse(header ?? '{}') as { progress_percent: number; delay_reason: string | null; seconds: string }
  }
  expect(Math.round(Number((await metadata()).seconds))).toBe(5_400)

  await page.getByRole('button', { name: 'Mark as delayed' }).click()
  await expect.poll(async () => (await metadata()).delay_reason).toBe('Poor audio')
  await page.getByRole('button', { name: 'Remove delay' }).click()
  await expect.poll(async () => (await metadata()).delay_reason).toBeNull()
  await page.getByLabel('New progress, %').fill('60')
  await page.getByRole('button', { name: 'Set progress' }).click()
  await expect(page.getByRole('combobox', { name: 'File in progress' })).toContainText('60%')
  expect((await program('DELETE', `file/${id}`)).status).toBe(409)
  await page.getByLabel('New progress, %').fill('30')
  await page.getByRole('button', { name: 'Set progress' }).click()
  await expect(page.getByText('Progress cannot go down: this file is at 60%.')).toBeVisible()
})
