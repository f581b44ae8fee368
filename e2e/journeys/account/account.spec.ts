import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import type { CreatedApiKey } from '../../../src/contract/account/keys.ts'
import type { Usage } from '../../../src/contract/account/usage.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { expectNoAxeFindings, openPage, openSettings, test } from '../../kit/fixtures.ts'
import { tone } from '../../kit/recordings.ts'
import type { ServiceProcess } from '../../kit/service-process.ts'
import { signIn } from '../../kit/sign-in.ts'
import { sessionOf, storeSession } from '../../kit/stored-session.ts'
import { expectWaveform } from '../../kit/waveform.ts'

test('a new key is shown once, and changed', { tag: '@slow' }, async ({ page, account }) => {
  await signIn(page, account.key)
  await openSettings(page, 'Keys')
  await page.getByRole('button', { name: 'New key…' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Nightly import')
  await page.getByText('30 days').click()
  await page.getByRole('button', { name: 'Create key' }).click()
  const shown = page.getByRole('textbox', { name: 'Your new API key' })
  await expect(shown).toHaveValue(/^parley_live_[0-9a-z]{32,}$/)
  const key = await shown.inputValue()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await expect(page.getByText(key)).toHaveCount(0)
  await expect(page.getByRole('listitem').filter({ hasText: 'Nightly import' })).toContainText(
    /never used · expires \d/,
  )

  await page.getByRole('button', { name: 'Change Nightly import' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Weekly import')
  await page.getByText('Ordering', { exact: true }).last().click()
  await page.getByLabel(/May spend a month/).fill('20')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Weekly import' })).toContainText(
    'may read and order · $0.00 of $20.00 spent this month',
  )
})

test('a visitor opens a demo account, and is still signed in after a reload', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'open a demo account in the sandbox' }).click()
  await expect(page.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible()
  await expect(page.getByText(/save its key: parley_\S+/)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'See a finished transcript' }).click()
  await expect(page.getByRole('article').first()).toContainText('Printing, in the only sense')
  // The sample is ready before its waveform.
  await expectWaveform(page)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Keys' }).click()
  await expect(page).toHaveURL(/settings\/keys$/)
  await page.getByRole('main').getByRole('link', { name: 'API docs' }).click()
  await expect(page.getByRole('heading', { name: 'Start in five minutes' })).toBeVisible()
})

test('revoking a key ends the session that uses it', { tag: '@slow' }, async ({
  page,
  account,
  service,
  browser,
  baseURL,
}) => {
  const { key } = await accountClient(service.url, account.key).read<CreatedApiKey>('POST', 'keys', { name: 'Import' })
  const other = await browser.newPage({ ...(baseURL === undefined ? {} : { baseURL }) })
  await signIn(other, key)
  await signIn(page, account.key)
  await openSettings(page, 'Keys')
  await page.getByRole('button', { name: 'Revoke Import' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Revoke Import' })).toHaveCount(0)
  await expect(other).toHaveURL(/sign-in/)
  await other.close()
})

/** Orders a second of audio through the REST interface, as an API client. */
async function orderByProgram(service: ServiceProcess, key: string): Promise<Response> {
  const body = new FormData()
  body.set('file', new Blob([await readFile(await tone(1))], { type: 'audio/wav' }), 'tone.wav')
  return await askApi(service.url, key, 'files', { method: 'POST', body })
}

test('the audit log shows who did what, is searchable, and exports as CSV', async ({ page, account, service }) => {
  await orderByProgram(service, account.key)
  await signIn(page, account.key)
  await openSettings(page, 'Ordering')
  await page.getByRole('switch', { name: /Strict verbatim/ }).click()
  await page.getByRole('button', { name: 'Save defaults' }).click()
  await expect(page.getByText('Default options saved')).toBeVisible()
  await openSettings(page, 'Account log')
  const rows = page.getByRole('region', { name: 'Log' }).getByRole('row')
  await expect(rows.filter({ hasText: 'Default options changed' })).toContainText('127.0.0.1')
  await expect(rows.filter({ hasText: 'Ordered manual' }).getByRole('link', { name: 'tone' })).toBeVisible()
  await expectNoAxeFindings(page)
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('tone')
  await expect(rows.filter({ hasText: 'Default options' })).toHaveCount(0)
  await expect(rows).not.toHaveCount(1)
  const csv = async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    return readFile(await (await download).path(), 'utf8')
  }
  const commas = await csv()
  expect(commas).toMatch(/^\ufefftime,action,/)
  expect(commas).toContain('"ordered","manual"')
  expect(commas).not.toContain('"defaults"')
  await openSettings(page, 'Display and notifications')
  await page.getByText('Semicolons, 1,5', { exact: true }).click()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('account log')
  await expect(page.getByRole('option', { name: 'Account log' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Account log' })).toBeVisible()
  expect(await csv()).toContain('"ordered";"manual"')
})

test('default options apply to API orders, too', async ({ page, account, service }) => {
  await signIn(page, account.key)
  await openSettings(page, 'Ordering')
  await page.getByRole('switch', { name: /Strict verbatim/ }).click()
  await page.getByRole('button', { name: 'Save defaults' }).click()
  await expect(page.getByText('Default options saved')).toBeVisible()
  const { id } = (await (await orderByProgram(service, account.key)).json()) as { id: string }
  const head = await askApi(service.url, account.key, `file/${id}`, { method: 'HEAD' })
  const { options } = JSON.parse(head.headers.get('x-service-metadata') ?? '{}')
  expect(options).toMatchObject({ strict_verbatim: 'on', transcript_type: 'manual' })
})

test('without a card orders are refused, with a new one they are accepted', async ({ page, account, service }) => {
  await signIn(page, account.key)
  await openSettings(page, 'Money')
  await page.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('button', { name: 'Remove card' }).click()
  await expect(page.getByText('Add one before you order')).toBeVisible()
  await expect(page.getByText('Without a card every order is refused, whatever the balance.')).toBeVisible()
  const refused = await orderByProgram(service, account.key)
  expect(refused.status).toBe(402)
  expect(await refused.json()).toEqual({ error: expect.stringContaining('no payment method') })
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Test card that is declined' }).click()
  await expect(page.getByText('Test card that is declined ···· 0002')).toBeVisible()
  expect(await (await orderByProgram(service, account.key)).json()).toEqual({
    error: expect.stringContaining('The card was declined.'),
  })
  await page.getByRole('button', { name: 'Test card that pays', exact: true }).click()
  await expect(page.getByText('Test card that pays ···· 4242')).toBeVisible()
  expect((await orderByProgram(service, account.key)).status).toBe(201)
})

test.describe('usage', () => {
  test.beforeEach(async ({ page, sandboxAccount, service }) => {
    for (const progress_percent of [20, 100]) {
      const file = { seconds: 60, progress_percent, transcript_type: 'manual' }
      await accountClient(service.url, sandboxAccount.key).read('POST', 'tools/files', file)
    }
    await signIn(page, sandboxAccount.key)
    await openPage(page, 'Usage')
  })

  test('agrees with the ledger of the command line, to the cent, and so does its CSV', { tag: '@slow' }, async ({
    page,
    sandboxAccount,
    service,
  }) => {
    const lines = (await service.parley('ledger', sandboxAccount.account)).split('\n').map((line) => JSON.parse(line))
    const cents = lines.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
    expect(cents).toBeGreaterThan(0)
    await expect(page.getByText('Charged', { exact: true }).locator('..')).toContainText(`$${(cents / 100).toFixed(2)}`)
    await expect(page.getByRole('table').last().getByRole('row')).toHaveCount(1 + lines.length)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    const csv = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
    expect(csv).toHaveLength(1 + lines.length)
  })

  test('strikes out what the bank took back, as it is in no sum', { tag: '@slow' }, async ({
    page,
    sandboxAccount,
    service,
  }) => {
    const client = accountClient(service.url, sandboxAccount.key)
    await client.read('PUT', 'payment', { test_card: 'fails_late' })
    // More than the balance has: the card pays in, and its bank takes that back after ten seconds.
    await client.read('POST', 'tools/files', { seconds: 1_200, progress_percent: 20, transcript_type: 'manual' })
    const charged = async () => (await client.read<Usage>('GET', 'usage')).charged_cents
    await expect.poll(charged).toBe(250)
    await page.reload()
    await signIn(page, sandboxAccount.key, { at: null })
    await openPage(page, 'Usage')
    const table = page.getByRole('table').last()
    await expect(table.getByRole('deletion')).toHaveText('$25.00')
    await expect(table.getByRole('row').nth(1)).toContainText('taken back by the bank')
    await expectNoAxeFindings(page)
  })

  test('is filtered by kind, and the chart is read by keyboard', async ({ page }) => {
    await page.getByText('Refunds', { exact: true }).click()
    await expect(page).toHaveURL(/kind=refund/)
    await expect(page.getByText('No entries.')).toBeVisible()
    await page.getByRole('slider', { name: 'Charges by month' }).press('ArrowRight')
    await expect(page.getByText(/\d{4}: .* manual/)).toBeVisible()
    await expectNoAxeFindings(page)
  })

  test('gives a receipt of a month for the books, with seller, customer, card and sums', { tag: '@slow' }, async ({
    page,
    sandboxAccount,
  }) => {
    await openSettings(page, 'Money')
    await page.getByLabel('Your name and address').fill('Obi & Daughters\n1 High Street, Leeds\nVAT GB 123')
    await page.getByRole('region', { name: 'Receipts' }).getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Name and address saved')).toBeVisible()
    await openPage(page, 'Usage')
    await page.getByText('Monthly totals').click()
    await page.getByRole('link', { name: /^\w+ \d{4}: Open$/ }).click()
    const receipt = page.getByRole('article')
    const month = new Date().toISOString().slice(0, 7)
    await expect(receipt).toContainText(new RegExp(`Receipt number\\w+-${month}`))
    await expect(receipt.getByRole('heading', { name: /^Receipt for \w+ \d{4} so far$/ })).toBeVisible()
    for (const text of ['FromParley · ', 'Obi & Daughters', 'VAT GB 123', 'Charged$2.50', 'Total, USD$2.50']) {
      await expect(receipt).toContainText(text)
    }
    const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format()
    const row = receipt.getByRole('row').nth(1)
    await expect(row).toContainText(today.replace('Sept ', 'Sep '))
    await expect(row).toContainText('Test card that pays 4242')
    await expectNoAxeFindings(page)
    const pdf = await page.pdf({ format: 'A4', margin: { left: '1cm', right: '1cm' } })
    const paper = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString()
    expect(paper).toMatch(/Date +Number +For +Length +Paid with +Amount/)
    expect(paper).not.toContain('Skip to content')
    expect(paper.split('\f').filter(Boolean), 'pages').toHaveLength(1)
    await page.goto(`${new URL(page.url()).origin}/sandbox/usage/2020-01`)
    await signIn(page, sandboxAccount.key, { at: null })
    await expect(page.getByText('There is no receipt')).toBeVisible()
  })

  test('of other dates stays over a reload', async ({ page, sandboxAccount }) => {
    await page.getByRole('combobox', { name: 'Period' }).selectOption('Custom dates')
    await page.getByLabel('From').fill('2020-01-01')
    await page.getByLabel('To', { exact: true }).fill('2020-12-31')
    await expect(page.getByText('No charges in this period.')).toBeVisible()
    await expect(page.getByText('No entries.')).toBeVisible()
    await expect(page).toHaveURL(/from=2020-01-01.*to=2020-12-31/)
    await page.reload()
    await signIn(page, sandboxAccount.key, { at: null })
    await expect(page.getByLabel('From')).toHaveValue('2020-01-01')
  })
})

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const) {
  test(`the account's pages fit ${width}, light and dark`, { tag: '@slow' }, async ({ page, sandboxAccount }) => {
    await page.setViewportSize({ width, height })
    await signIn(page, sandboxAccount.key)
    for (const name of ['Usage', 'Webhooks', 'Settings'] as const) {
      await openPage(page, name)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectNoAxeFindings(page)
      }
      const pageWidth = () => page.evaluate(() => document.documentElement.scrollWidth)
      await expect.poll(pageWidth, `${name} at ${width}`).toBe(width)
    }
  })
}

for (const [name, typed, place] of [
  ['Keys', 'api key', /settings\/keys$/],
  ['Payment', 'card', /settings\/money#payment$/],
  ['Receipts', 'VAT', /settings\/money#receipts$/],
  ['Webhooks', 'webhook secret', /webhooks$/],
  ['Appearance', 'dark mode', /settings\/display#appearance$/],
  ['Vocabulary', 'glossary', /settings\/vocabulary$/],
  ['Automatic deletion', 'retention', /settings\/account#retention$/],
] as const) {
  test(`“${typed}” in the command palette leads to ${name}`, async ({ page, account }) => {
    await storeSession(page, sessionOf(account))
    await page.goto('/live/usage')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.keyboard.type(typed)
    await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
    await expect(page).toHaveURL(place)
    // Its place is marked in the navigation.
    await expect(page.locator('nav [aria-current=page]').first()).toBeVisible()
  })
}

for (const width of [1440, 1024, 390]) {
  test(`each page of the settings fits ${width}, and marks its place`, { tag: '@slow' }, async ({ page, account }) => {
    await page.setViewportSize({ width, height: 900 })
    await storeSession(page, sessionOf(account))
    // Former addresses lead on.
    await page.goto('/live/settings#payment')
    await expect(page).toHaveURL(/\/live\/settings\/money#payment$/)
    const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    await expect(links.nth(3)).toBeVisible()
    for (const name of await links.allTextContents()) {
      await links.getByText(name, { exact: true }).click()
      await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
      await expect(links.and(page.locator('[aria-current=page]'))).toHaveText([name])
      await expectNoAxeFindings(page)
      const pageWidth = () => page.evaluate(() => document.documentElement.scrollWidth)
      await expect.poll(pageWidth, `${name} at ${width}`).toBe(width)
    }
  })
}
