import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import type { Balance } from '../../../src/contract/account/balance.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { expectNoAxeFindings, openPage, openSettings, test } from '../../kit/fixtures.ts'
import { bigRecording, dock, expectOrders, fillTray, payButton } from '../../kit/order-page.ts'
import { signIn } from '../../kit/sign-in.ts'

test('the order page says what the balance and the card pay, before and after; the rest goes back to the card', {
  tag: '@slow',
}, async ({ page, account, service }) => {
  await signIn(page, account.key)
  const recording = await bigRecording()
  await fillTray(page, recording)
  await expect(payButton(page)).toHaveText('Upload and pay $0.20')
  const panel = page.getByRole('region', { name: 'Options and price' })
  await expect(panel).toContainText(
    'Your balance is $0.00: Test card that pays ···· 4242 pays in $20.00, and $19.80 is left for further orders.',
  )
  await expectNoAxeFindings(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('region', { name: 'Total' })).toContainText('the card pays in $20.00')
  await page.setViewportSize({ width: 1280, height: 800 })
  await payButton(page).click()
  await expect(dock(page)).toContainText('1 file in this order')

  await openPage(page, 'Usage')
  await expect(page.getByRole('table').last()).toContainText('Charge · Test card that pays 4242 paid in $20.00')
  await page.setViewportSize({ width: 800, height: 800 })
  const ledger = page.getByRole('region', { name: 'Ledger' })
  expect(await ledger.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 'cut off').toBe(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await fillTray(page, await bigRecording('Minutes.wav', 60))
  await expect(panel).toContainText('$0.10 from your balance of $19.80.')

  await openSettings(page, 'Money')
  const balance = page.getByRole('region', { name: 'Balance' })
  await expect(balance).toContainText('$19.80')
  await expect(balance.getByRole('listitem')).toContainText([/Order.*Hearing.*−\$0\.20/, /Paid in by card.*\+\$20\.00/])
  const saved = page.waitForEvent('download')
  await balance.getByRole('button', { name: 'CSV of what changed the balance' }).click()
  expect(await readFile(await (await saved).path(), 'utf8')).toMatch(/"order",.*-0\.20,.*\r\n.*"top-up",.*20\.00,/)
  await balance.getByLabel('What the card pays in, USD').fill('1')
  await expect(balance).toContainText('Enter 5.00 to 10,000.00.')
  await balance.getByLabel('What the card pays in, USD').fill('50')
  await balance.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await balance.getByText('To the balance', { exact: true }).click()
  const client = accountClient(service.url, account.key)
  await expect
    .poll(() => client.read('GET', 'balance'))
    .toMatchObject({ balance_cents: 1_980, top_up_cents: 5_000, refunds_to: 'balance' })
  await expectNoAxeFindings(page)
  await balance.getByLabel('Budget of the account, USD').fill('0.22')
  await balance.getByRole('button', { name: 'Save budget' }).click()
  await expect(balance).toContainText('$0.20 of $0.22 spent this month; refunds do not lower it. 90% is spent.')
  await page.getByRole('link', { name: 'New order' }).first().click()
  await expect(page.getByText('It would be refused.')).toBeVisible()
  await expect(payButton(page)).toBeDisabled()
  await openSettings(page, 'Money')
  await balance.getByLabel('Budget of the account, USD').fill('')
  await balance.getByRole('button', { name: 'Save budget' }).click()
  await expect(balance.getByRole('progressbar')).toHaveCount(0)
  await balance.getByRole('button', { name: 'Pay back to the card…' }).click()
  await page.getByRole('button', { name: 'Pay back', exact: true }).click()
  await expect(balance).toContainText('$19.80 on the way back to the card')
  await expect(balance.getByRole('listitem').first()).toContainText('Paid back to the card')
})

test('the card pays in ahead, with a receipt; what another device spends meanwhile is asked about first', {
  tag: '@slow',
}, async ({ page, account, service }) => {
  await signIn(page, account.key)
  await openSettings(page, 'Money')
  const balance = page.getByRole('region', { name: 'Balance' })
  await balance.getByRole('button', { name: 'Pay in…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pay into the balance' })
  await dialog.getByLabel('Amount, USD').fill('4.99')
  await expect(dialog).toContainText('Enter 5.00 to 10,000.00.')
  await dialog.getByLabel('Amount, USD').fill('12')
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Pay in $12.00' }).press('Enter')
  await expect(balance).toContainText('$12.00')
  await balance.getByRole('link', { name: /^Receipt for \$12\.00/ }).click()
  await expect(page.getByRole('article')).toContainText(/Paid into the balance, USD\s*\$12\.00/)
  await expect(page.getByRole('article')).toContainText(/Receipt number[\w-]+-inFrom/)
  await expect(page.getByRole('article')).toContainText('Paid with a test card: no money moved.')
  await expectNoAxeFindings(page)
  await page.getByRole('link', { name: 'Money' }).first().click()
  await expect(balance).toContainText('$12.00')

  await fillTray(page, [await bigRecording('Minutes.wav', 60), await bigRecording('Notes.wav', 120)])
  await expect(page.getByText('$0.30 from your balance of $12.00.')).toBeVisible()
  // The page has not heard yet that the balance is gone.
  const held = Promise.withResolvers<void>()
  await page.route(/\/account\/?$/, async (route) => {
    await held.promise
    await route.continue()
  })
  await accountClient(service.url, account.key).read('POST', 'balance/payout')
  await payButton(page).click()
  await expect(dock(page)).toContainText(
    'Your balance was spent elsewhere meanwhile: your card would pay in $20.00 first. Nothing was charged.',
  )
  await expectNoAxeFindings(page)
  await expectOrders(service, account, 0)
  held.resolve()
  const agree = dock(page).getByRole('button', { name: /^Order for \$0\.[12]0: the card pays in \$20\.00$/ })
  await expect(agree).toHaveCount(2)
  await expect(dock(page)).toContainText('Order 2 for $0.30: the card pays in $20.00')
  await agree.first().click()
  await expect(() => expectOrders(service, account, 1)).toPass()
  await expect(agree).toHaveCount(1)
  await agree.click()
  await expect(dock(page)).toContainText('2 files in this order')
  await expectOrders(service, account, 2)
  const { balance_cents } = await accountClient(service.url, account.key).read<Balance>('GET', 'balance')
  expect(balance_cents).toBe(2_000 - 30)
})

test('a limit of the key stops the order on the page, not after the upload', async ({ page, account, service }) => {
  const limited = { name: 'Intern', rights: ['read', 'order'], month_limit_cents: 15 }
  const { key } = await accountClient(service.url, account.key).read<{ key: string }>('POST', 'keys', limited)
  await signIn(page, key)
  await fillTray(page, await bigRecording('Minutes.wav', 80))
  await expect(
    page.getByText('With this order your key has spent $0.13 of its budget of $0.15 this month.'),
  ).toBeVisible()
  await expect(payButton(page)).toBeEnabled()
  await page.getByLabel('Choose files').setInputFiles(await bigRecording('More.wav', 20))
  await expect(page.getByText('your key would spend $0.16 this month, more than its budget of $0.15.')).toBeVisible()
  await expect(payButton(page)).toBeDisabled()
})
