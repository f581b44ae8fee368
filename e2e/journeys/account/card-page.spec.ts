import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { LocalStripe } from '../../../src/service/orders/money/payment/stripe/testing/local-stripe.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { tone } from '../../kit/recordings.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { signIn, signInPage } from '../../kit/sign-in.ts'

test('a card is added on the page of the payment provider, and pays the next order', async ({ page }) => {
  const provider = await new LocalStripe().takingCents().listen()
  const env = { RECOGNIZER: 'sherpa', OFFLINE: '1', LOG_LEVEL: 'warn', ...provider.env }
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
  } finally {
    await service.remove()
    await provider.close()
  }
})
