import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { LocalStripe } from '../../../src/service/orders/money/payment/stripe/testing/local-stripe.ts'
import { comeBack, visitCardPage } from '../../../src/service/orders/money/payment/testing/enter-card.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { startOrder } from '../../kit/order-page.ts'
import { tone } from '../../kit/recordings.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { signIn, signInPage } from '../../kit/sign-in.ts'

test('a card is added on the page of the payment provider, and pays the next order', { tag: '@slow' }, async ({
  page,
}) => {
  const provider = await new LocalStripe().listen()
  const env = { RECOGNIZER: 'sherpa', OFFLINE: '1', LOG_LEVEL: 'debug', ...provider.env }
  const service = await ServiceProcess.start(env)
  try {
    const { key } = await service.createAccount('live')
    await signIn(page, key, { at: signInPage(service) })
    await page.getByRole('link', { name: 'New order' }).first().click()
    await page.getByRole('link', { name: 'Add a card' }).click()
    const payment = page.getByRole('region', { name: 'Payment' })
    await expect(payment.getByText('Add one before you order')).toBeVisible()
    await expect(payment.getByRole('textbox')).toHaveCount(0)
    await expectNoAxeFindings(page)

    await payment.getByRole('button', { name: 'Add card…' }).click()
    await expect(page.getByRole('heading', { name: 'Your card' })).toBeVisible()
    expect(page.url()).toContain(provider.url.host)
    await page.getByRole('link', { name: 'Turn back' }).click()
    await expect(page.getByText('No card was entered, so none was saved.')).toBeVisible()

    await payment.getByRole('button', { name: 'Add card…' }).click()
    await page.getByLabel('Card number').fill('4242 4242 4242 4242')
    await page.getByRole('button', { name: 'Save the card' }).click()
    await expect(payment.getByText('Visa ···· 4242')).toBeVisible()
    await expect(page).toHaveURL(new URL('/live/settings/money#payment', service.url).href)
    const leftInTab = () => page.evaluate(() => Object.values(sessionStorage).join())
    await expect.poll(leftInTab, 'what is left in the tab').not.toContain(key)

    const body = new FormData()
    body.set('file', new Blob([await readFile(await tone(1))], { type: 'audio/wav' }), 'tone.wav')
    const ordered = await askApi(service.url, key, 'files?transcript_type=manual', { method: 'POST', body })
    expect(ordered.status).toBe(201)
    expect(provider.charges).toHaveLength(1)
    expect(provider.bodies.join(), 'what the service sent').not.toMatch(/4242[ +]?4242/)
    // Not even one that somebody sends here.
    const { ask } = accountClient(service.url, key)
    for (const path of ['payment', 'payment?number=4242424242424242'])
      expect((await ask('PUT', path, { number: '4242424242424242' })).status).toBeGreaterThanOrEqual(400)
    expect(service.output, 'so the log was searched').toContain('/account/payment')
    expect(service.output).not.toMatch(/4242[ +-]?4242/)
  } finally {
    await service.remove()
    await provider.close()
  }
})

test('a payment that the bank asks about is confirmed in a new tab, and the order goes on', { tag: '@slow' }, async ({
  page,
  context,
}) => {
  const provider = await new LocalStripe().listen()
  const env = { RECOGNIZER: 'sherpa', OFFLINE: '1', LOG_LEVEL: 'warn', ...provider.env }
  const service = await ServiceProcess.start(env)
  try {
    const { key } = await service.createAccount('live')
    const client = accountClient(service.url, key)
    await comeBack(client, await visitCardPage(client, '4000002760003184'))
    await signIn(page, key, { at: signInPage(service) })
    await startOrder(page, await tone(30))
    const asked = page.getByText('Your bank asks you to confirm this payment.')
    await expect(asked).toBeVisible()
    await expectNoAxeFindings(page)

    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Confirm at your bank' }).click()
    const bank = await opened
    await expect(bank.getByText('Pay 20.00 USD?')).toBeVisible()
    await bank.getByRole('button', { name: 'Confirm' }).click()
    await expect(bank.getByRole('heading', { name: 'Payment confirmed' })).toBeVisible()
    await expectNoAxeFindings(bank)
    await bank.close()
    // A browser without windows never hides a tab.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(asked).toBeHidden()
    await expect
      .poll(async () => (await client.read<{ balance_cents: number }>('GET', 'balance')).balance_cents)
      .toBeLessThan(2_000)
    expect(provider.charges).toHaveLength(1)
  } finally {
    await service.remove()
    await provider.close()
  }
})
