import { expect, type Page } from '@playwright/test'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { clusterOfRun } from '../../../src/service/testing/running-cluster.ts'
import { test as base, expectNoAxeFindings, openPage } from '../../kit/fixtures.ts'
import { openReceiver, type Receiver } from '../../kit/receiver.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { signIn } from '../../kit/sign-in.ts'

/** A port at which a cluster may reach this worker's receiver; any port for a standalone service. */
function receiverPort(worker: number): number {
  const target = clusterOfRun()?.env.ALLOW_TARGETS?.split(',')[worker]
  return target === undefined ? 0 : Number(new URL(`http://${target}`).port)
}

/** Journeys against a service that may reach a receiver on this machine; each has its own account. */
const test = base.extend<object, { receiver: Receiver; service: ServiceProcess }>({
  receiver: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs off this pattern
    async ({}, use, { parallelIndex }) => {
      const receiver = await openReceiver(receiverPort(parallelIndex))
      await use(receiver)
      await receiver.close()
    },
    { scope: 'worker' },
  ],
  service: [
    async ({ receiver }, use) => {
      const cluster = clusterOfRun()
      const own = { ALLOW_TARGETS: receiver.target, OFFLINE: '1', LOG_LEVEL: 'warn' }
      const service = await (cluster === null ? ServiceProcess.start(own) : ServiceProcess.join(cluster))
      await use(service)
      await service.remove()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

test.beforeEach(async ({ page, receiver, sandboxAccount }) => {
  receiver.received.length = 0
  receiver.answer = { status: 200, body: 'ok' }
  await signIn(page, sandboxAccount.key)
  await openPage(page, 'Webhooks')
})

async function saveEndpoint(page: Page, url: string): Promise<void> {
  await page.getByLabel('Endpoint').fill(url)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
}

/** Closes the dialog that shows the secret once. @param previous not this one @returns the secret */
async function takeSecret(page: Page, previous = ''): Promise<string> {
  const secret = page.getByRole('textbox', { name: 'Signing secret' })
  await expect(secret).toHaveValue(/^whsec_/)
  await expect(secret).not.toHaveValue(previous)
  const value = await secret.inputValue()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  return value
}

test('an invalid or non-public URL is rejected at its field', async ({ page, service }) => {
  for (const [url, words] of [
    ['nonsense', /complete URL/],
    ['https://10.0.0.7/hook', /public/],
    [service.url.href, /public/],
  ] as const) {
    await saveEndpoint(page, url)
    await expect(page.getByRole('alert')).toContainText(words)
  }
})

test('a test event that fails shows both messages, and is sent again', async ({ page, receiver }) => {
  await saveEndpoint(page, receiver.url)
  await takeSecret(page)
  receiver.answer = { status: 503, body: '<b>upstream</b> connect error' }
  await page.getByRole('button', { name: 'Send test event' }).click()
  await expect(page.getByRole('row', { name: /Test event/ })).toContainText('503')
  await page.getByRole('button', { name: 'Test event', exact: true }).click()
  const messages = page.locator('pre:visible')
  await expect(messages.first()).toContainText('POST /parley')
  await expect(messages.nth(1)).toContainText('<b>upstream</b> connect error')
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({ id: 'test_event' })

  receiver.answer = { status: 200, body: 'thanks' }
  await page.getByRole('button', { name: 'Resend', exact: true }).click()
  const tries = page.getByRole('listitem').filter({ hasText: /^Attempt \d/ })
  await expect(tries).toHaveText([/^Attempt 2.*200/, /^Attempt 1.*503/])
  await expect(messages.nth(1)).toContainText('thanks')
  await tries.nth(1).getByText('Attempt 1').click()
  await expect(tries.nth(1)).toContainText('connect error')
  await expectNoAxeFindings(page)
})

test('a new secret is shown once and signs alongside the previous one', async ({ page, receiver }) => {
  await saveEndpoint(page, receiver.url)
  const first = await takeSecret(page)
  await page.getByRole('button', { name: 'Rotate secret…' }).click()
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await takeSecret(page, first)
  await expect(page.getByText(/The previous secret also works until/)).toBeVisible()
  await page.getByRole('button', { name: 'Send test event' }).click()
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(receiver.received[0]?.signature.split(' ')).toHaveLength(2)
})

test('all failed deliveries are resent at once', async ({ page, receiver, service, sandboxAccount }) => {
  await saveEndpoint(page, receiver.url)
  await takeSecret(page)
  receiver.answer = { status: 500, body: '' }
  const client = accountClient(service.url, sandboxAccount.key)
  for (let count = 0; count < 3; count += 1) await client.read('POST', 'webhook/test')
  await page.getByText('Failed', { exact: true }).click()
  await expect(page.getByRole('row', { name: /Test event/ })).toHaveCount(3)
  receiver.answer = { status: 200, body: '' }
  await page.getByRole('button', { name: 'Resend failed…' }).click()
  await page.getByRole('menuitem', { name: 'From the last hour' }).click()
  await expect(page.getByText('3 deliveries queued')).toBeVisible()
  await expect(page.getByText('No failed deliveries.')).toBeVisible()
  await expect.poll(() => receiver.received.length).toBe(6)
})

test('a receiver that responds 410 pauses the webhook, until it is resumed', async ({
  page,
  receiver,
  service,
  sandboxAccount,
}) => {
  await saveEndpoint(page, receiver.url)
  await takeSecret(page)
  receiver.answer = { status: 410, body: '' }
  const file = { seconds: 60, progress_percent: 0, name: 'Hearing' }
  await accountClient(service.url, sandboxAccount.key).read('POST', 'tools/files', file)
  await expect(page.getByText(/^Paused .* The receiver returned 410/)).toBeVisible()
  await expect(page.getByRole('row', { name: /Hearing/ })).toContainText('410')
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByText(/^Paused/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByText(/^Paused .* No events are sent while paused/)).toBeVisible()
})
