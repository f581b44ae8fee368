import { expect, type Page } from '@playwright/test'
import { accountClient } from '../src/service/testing/account-client.ts'
import { expectNoAxeFindings, openPage, test } from './fixtures.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { type NewAccount, ServiceProcess } from './service-process.ts'
import { signIn, signInPage } from './sign-in.ts'

/** A service that may reach the receiver, an account whose endpoint it is. */
const setting = test.extend<{ receiver: Receiver; caller: NewAccount & { service: ServiceProcess } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs off this pattern
  receiver: async ({}, use) => {
    const receiver = await openReceiver()
    await use(receiver)
    await receiver.close()
  },
  caller: async ({ receiver, page }, use) => {
    const service = await ServiceProcess.start({ ALLOW_TARGETS: receiver.target, OFFLINE: '1', LOG_LEVEL: 'warn' })
    const account = await service.createAccount('sandbox')
    await signIn(page, account.key, { at: signInPage(service) })
    await openPage(page, 'Webhooks')
    await use({ ...account, service })
    await service.remove()
  },
})

async function save(page: Page, url: string): Promise<void> {
  await page.getByLabel('Endpoint').fill(url)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
}

async function keepSecret(page: Page): Promise<string> {
  const secret = page.getByRole('textbox', { name: 'The endpoint’s secret' })
  await expect(secret).toHaveValue(/^whsec_/)
  const value = await secret.inputValue()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  return value
}

setting(
  'an endpoint, its secret once and rotated, a test event, tries in full, sent again',
  async ({ page, receiver, caller }) => {
    for (const [url, words] of [
      ['nonsense', /whole address/],
      ['https://10.0.0.7/hook', /public/],
      [caller.service.url.href, /public/],
    ] as const) {
      await save(page, url)
      await expect(page.getByRole('alert')).toContainText(words)
    }
    await save(page, receiver.url)
    const first = await keepSecret(page)

    receiver.answer = { status: 503, body: '<b>upstream</b> connect error' }
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await expect(page.getByRole('row', { name: /Test event/ })).toContainText('503')
    await page.getByRole('button', { name: 'Test event', exact: true }).click()
    const messages = page.locator('pre:visible')
    await expect(messages.first()).toContainText('POST /parley')
    await expect(messages.nth(1)).toContainText('<b>upstream</b> connect error')
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({ id: 'test_event' })

    receiver.answer = { status: 200, body: 'thanks' }
    await page.getByRole('button', { name: 'Send again' }).click()
    const tries = page.getByRole('listitem').filter({ hasText: /^Try \d/ })
    await expect(tries).toHaveText([/^Try 2.*200/, /^Try 1.*503/])
    await expect(messages.nth(1)).toContainText('thanks')
    await tries.nth(1).getByText('Try 1').click()
    await expect(tries.nth(1)).toContainText('connect error')
    await expectNoAxeFindings(page)

    await page.getByRole('button', { name: 'New secret …' }).click()
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    expect(await keepSecret(page)).not.toBe(first)
    await expect(page.getByText(/The secret before this one also signs until/)).toBeVisible()
    const before = receiver.received.length
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await expect.poll(() => receiver.received.length).toBe(before + 1)
    expect(receiver.received.at(-1)?.signature.split(' ')).toHaveLength(2)
  },
)

setting(
  'all that failed is sent again; a receiver that wants no more pauses the webhook, with a banner',
  async ({ page, receiver, caller: { service, key } }) => {
    await save(page, receiver.url)
    await keepSecret(page)
    receiver.answer = { status: 500, body: '' }
    for (let count = 0; count < 3; count += 1) await accountClient(service.url, key).read('POST', 'webhook/test')
    await page.getByText('Failed', { exact: true }).click()
    await expect(page.getByRole('row', { name: /Test event/ })).toHaveCount(3)
    receiver.answer = { status: 200, body: '' }
    await page.getByRole('button', { name: 'Send failed again …' }).click()
    await page.getByRole('menuitem', { name: 'Those of the last hour' }).click()
    await expect(page.getByText('3 deliveries queued again')).toBeVisible()
    await expect(page.getByText('No delivery has failed for good.')).toBeVisible()
    expect(receiver.received).toHaveLength(6)

    await page.getByText('All', { exact: true }).click()
    receiver.answer = { status: 410, body: '' }
    await accountClient(service.url, key).read('POST', 'tools/files', {
      seconds: 60,
      progress_percent: 0,
      name: 'Hearing',
    })
    await expect(page.getByText(/^Paused .* The receiver answered 410/)).toBeVisible()
    await expect(page.getByRole('row', { name: /Hearing/ })).toContainText('410')
    await expectNoAxeFindings(page)
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect(page.getByText(/^Paused/)).toHaveCount(0)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await expect(page.getByText(/^Paused .* Changes of progress are not told/)).toBeVisible()
  },
)
