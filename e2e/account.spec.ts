import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { expectNoAxeFindings, signIn, test } from './fixtures.ts'
import { ServiceProcess } from './service-process.ts'

async function open(page: Page, name: 'Usage' | 'Webhooks' | 'Settings'): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}

test('keys: made, shown once, renamed, and one revoked ends the session that uses it', async ({
  page,
  account,
  browser,
  baseURL,
}) => {
  await signIn(page, account.key)
  await open(page, 'Settings')
  await page.getByRole('button', { name: 'New key …' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Nightly import')
  await page.getByRole('button', { name: 'Make the key' }).click()
  const shown = page.getByRole('textbox', { name: 'Your new API key' })
  const key = await shown.inputValue()
  expect(key).toMatch(/^parley_live_[0-9a-z]{32,}$/)
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await expect(page.getByText(key)).toHaveCount(0)

  await page.getByRole('button', { name: 'Rename Nightly import' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Weekly import')
  await page.getByRole('button', { name: 'Rename', exact: true }).last().click()
  await expect(page.getByText('Weekly import')).toBeVisible()

  const other = await browser.newPage({ ...(baseURL === undefined ? {} : { baseURL }) })
  await signIn(other, key)
  await page.getByRole('button', { name: 'Revoke Weekly import' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(page.getByText('Weekly import')).toHaveCount(0)
  await expect(other).toHaveURL(/sign-in/)
  await other.close()
})

test('default options and the card are kept with the account', async ({ page, account, service }) => {
  await signIn(page, account.key)
  await open(page, 'Settings')
  await page.getByRole('switch', { name: /Strict verbatim/ }).click()
  await page.getByRole('button', { name: 'Save the defaults' }).click()
  await expect(page.getByText('Default options saved')).toBeVisible()

  await page.getByRole('button', { name: 'Replace the card …' }).click()
  await page.getByLabel('Card number').fill('4242 4242 4242 4241')
  await page.getByLabel('Expiry').fill('12/39')
  await page.getByRole('button', { name: 'Save the card' }).click()
  await expect(page.getByText('wrong digit')).toBeVisible()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Remove …' }).click()
  await page.getByRole('button', { name: 'Remove the card' }).click()
  await expect(page.getByText('orders are refused until there is one')).toBeVisible()

  const form = new FormData()
  form.set('link', 'https://example.com/a.mp3')
  const refused = await fetch(new URL('/v1/files', service.url), {
    method: 'POST',
    body: form,
    headers: { Authorization: `Basic ${btoa(`${account.key}:`)}` },
  })
  expect(refused.status).toBe(402)
})

test('webhooks: an endpoint, its secret once, a test event with its request and answer', async ({ page }) => {
  const received: string[] = []
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      received.push(body)
      response.writeHead(503).end('<b>upstream</b> connect error')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  const service = await ServiceProcess.start({ ALLOW_TARGETS: `127.0.0.1:${port}`, OFFLINE: '1' })
  try {
    const { key } = await service.createAccount('live')
    await page.goto(new URL('/sign-in', service.url).href)
    await page.getByLabel('API key', { exact: true }).fill(key)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await open(page, 'Webhooks')
    await page.getByLabel('Endpoint').fill('https://10.0.0.7/hook')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText(/public/)
    await page.getByLabel('Endpoint').fill(`http://127.0.0.1:${port}/parley`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'The endpoint’s secret' })).toHaveValue(/^whsec_/)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await expect(page.getByRole('row', { name: /Test event/ })).toContainText('503')
    await page.getByRole('button', { name: 'Test event', exact: true }).click()
    const panel = page.locator('pre')
    await expect(panel.first()).toContainText('POST /parley')
    await expect(panel.nth(1)).toContainText('<b>upstream</b> connect error')
    expect(JSON.parse(received[0] ?? '')).toEqual({ id: expect.any(String) })
    await expectNoAxeFindings(page)
  } finally {
    await service.remove()
    await new Promise((resolve) => receiver.close(resolve))
  }
})

test('usage agrees with the ledger of the command line, to the cent', async ({ page, sandboxAccount, service }) => {
  await signIn(page, sandboxAccount.key)
  await open(page, 'Settings')
  for (const percent of ['20', '100']) {
    await page.getByLabel('Progress, %').fill(percent)
    const made = page.waitForResponse((response) => response.url().endsWith('/tools/files'))
    await page.getByRole('button', { name: 'Make a sample file' }).click()
    expect((await made).status()).toBe(201)
  }
  await open(page, 'Usage')
  const lines = (await service.parley('ledger', sandboxAccount.account)).split('\n').map((line) => JSON.parse(line))
  const cents = lines.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
  expect(cents).toBeGreaterThan(0)
  await expect(page.getByText('Charged', { exact: true }).locator('..')).toContainText(`$${(cents / 100).toFixed(2)}`)
  await expect(page.getByRole('table').last().getByRole('row')).toHaveCount(1 + lines.length)
  await page.getByText('Refunds', { exact: true }).click()
  await expect(page).toHaveURL(/kind=refund/)
  await expect(page.getByText('No entries here.')).toBeVisible()
  await page.getByRole('slider', { name: 'Charges by month' }).press('ArrowRight')
  await expect(page.getByText(/\d{4}: .* manual/)).toBeVisible()
  await expectNoAxeFindings(page)
})

test('the account pages hold at three widths, light and dark', async ({ page, sandboxAccount }) => {
  await signIn(page, sandboxAccount.key)
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const name of ['Usage', 'Webhooks', 'Settings'] as const) {
      await open(page, name)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectNoAxeFindings(page)
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name} at ${width}`).toBe(width)
    }
  }
})

test('appearance is kept with the account', async ({ page, account, browser, baseURL }) => {
  await signIn(page, account.key)
  await open(page, 'Settings')
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
  const saved = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().endsWith('/settings'),
  )
  await page.getByRole('radio', { name: '12 hours' }).check({ force: true })
  expect((await saved).ok()).toBe(true)
  const context = await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }) })
  const elsewhere = await context.newPage()
  await signIn(elsewhere, account.key)
  await expect(elsewhere.locator('html')).toHaveAttribute('data-theme', 'dark')
  await open(elsewhere, 'Settings')
  await expect(elsewhere.getByRole('radio', { name: '12 hours' })).toBeChecked()
  await context.close()
})
