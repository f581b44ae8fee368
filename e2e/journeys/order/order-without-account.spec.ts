import { expect, type Page } from '@playwright/test'
import { setFaults, test } from '../../kit/faults.ts'
import { bigRecording, dock, payButton } from '../../kit/order-page.ts'
import { tone } from '../../kit/recordings.ts'
import { signIn, signInPage } from '../../kit/sign-in.ts'

/* Orders from a service without an account interface: no prices and no idempotency keys. */

test.beforeEach(async ({ page, account, service, network }) => {
  await setFaults(service, { noAccount: true })
  await signIn(page, account.key, { at: signInPage(network) })
})

async function chooseFile(page: Page, path: string): Promise<void> {
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Automated/ }).check()
  await page.getByLabel('Choose files').setInputFiles(path)
}

test('the price is estimated once an order has shown what it costs', async ({ page }) => {
  await chooseFile(page, await tone(60, 'First.mp3'))
  await page.getByRole('button', { name: 'Upload and order 1 file' }).click()
  await expect(dock(page)).toContainText('1 file in this order')
  await chooseFile(page, await tone(120, 'Second.mp3'))
  await expect(payButton(page)).toHaveText('Upload and pay about $0.20')
})

test('an order whose response was lost is found, and not made twice', { tag: '@slow' }, async ({
  page,
  account,
  service,
  network,
}) => {
  await chooseFile(page, await tone(60, 'Second.mp3'))
  network.loseAnswers()
  await page.getByRole('button', { name: 'Upload and order 1 file' }).click()
  await expect(dock(page)).toContainText('The service already has a file of this name and size')
  await expect(dock(page).getByRole('link', { name: 'Open that file' })).toBeVisible()
  expect((await service.parley('ledger', account.account)).split('\n')).toHaveLength(1)
})

test('an aborted upload checks whether the service has the file, and is made once', { tag: '@slow' }, async ({
  page,
  account,
  service,
  network,
}) => {
  await chooseFile(page, await bigRecording('Third.wav', 20))
  network.cutAfter(3_800_000)
  await page.getByRole('button', { name: 'Upload and order 1 file' }).click()
  await expect(dock(page)).toContainText('Checking whether the service already has this file')
  network.mend()
  await expect(dock(page)).toContainText('the service has no such file. Nothing was charged.')
  await dock(page).getByRole('button', { name: 'Try again' }).click()
  await expect(dock(page)).toContainText('1 file in this order')
  expect((await service.parley('ledger', account.account)).split('\n')).toHaveLength(1)
})
