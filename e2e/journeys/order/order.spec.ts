import { execFileSync } from 'node:child_process'
import { copyFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { bigRecording, dock, expectOrders, fillTray, payButton, startOrder } from '../../kit/order-page.ts'
import { tone } from '../../kit/recordings.ts'
import { signIn, signInPage } from '../../kit/sign-in.ts'

// The page says how well it recognizes.
test.use({ engine: 'pocketsphinx' })

const row = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })

test("the tray shows each recording's format and price, and files that are not recordings", async ({
  page,
  account,
  service,
}) => {
  const interview = await tone(65, 'Interview.m4a')
  const folder = join(interview, '..')
  await copyFile(interview, join(folder, 'Interview (1).m4a'))
  await writeFile(join(folder, 'Slides.pptx'), 'PK\u0003\u0004 not a recording')
  await writeFile(join(folder, 'Empty.wav'), '')
  await writeFile(join(folder, 'Huge.wav'), await readHead(await tone(1, 'Huge.wav')))
  await truncate(join(folder, 'Huge.wav'), 10_000_000_001)
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=d=1:s=160x120', join(folder, 'Silent.mp4')])

  await signIn(page, account.key)
  const names = ['Interview.m4a', 'Interview (1).m4a', 'Slides.pptx', 'Empty.wav', 'Huge.wav', 'Silent.mp4']
  await fillTray(
    page,
    names.map((name) => join(folder, name)),
  )
  await expect(row(page, 'Interview.m4a')).toContainText('1:05')
  await expect(row(page, 'Interview.m4a')).toContainText('$0.11')
  await expect(
    page.getByText(
      '1 of 6 files will be ordered · left out: 1 duplicate, 1 that is not a recording, 3 that cannot be ordered',
    ),
  ).toBeVisible()
  await expect(row(page, 'Slides.pptx')).toHaveCount(0)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(row(page, 'Interview (1).m4a')).toContainText('Same recording as “Interview.m4a”')
  await expect(row(page, 'Slides.pptx')).toContainText('Not audio or video')
  await expect(row(page, 'Empty.wav')).toContainText('The file is empty')
  await expect(row(page, 'Huge.wav')).toContainText('Over 10 GB')
  await expect(row(page, 'Silent.mp4')).toContainText('No sound track')
  // No accidental double payment.
  await expect(payButton(page)).toHaveText('Upload and pay $0.11')
  await page.getByLabel('Order the duplicate, too').check()
  await expect(payButton(page)).toHaveText('Upload and pay $0.22')
  await expect(page.getByRole('radio', { name: /Automated.*English only\./ })).toBeVisible()
  await expect(page.getByText('How many words come out wrong was not measured here yet.')).toBeVisible()
  await expectNoAxeFindings(page)
  // Nothing is sent automatically.
  await expectOrders(service, account, 0)
})

test('one recording of two is ordered typed, at its own price', async ({ page, account }) => {
  await signIn(page, account.key)
  await page.getByRole('link', { name: 'New order' }).first().click()
  // No typists here, so the page preselects the automated type.
  await expect(page.getByRole('radio', { name: /Automated/ })).toBeChecked()
  await fillTray(page, [await tone(65, 'First.m4a'), await tone(120, 'Second.m4a')])
  await row(page, 'Second.m4a').getByRole('checkbox').check()
  await page.getByRole('radio', { name: /Manual/ }).check()
  await expect(row(page, 'Second.m4a')).toContainText('$2.50')
  await expect(row(page, 'First.m4a')).toContainText('$0.11')
  await expect(page.getByText('This service has no typists yet')).toBeVisible()
  await page.getByRole('button', { name: 'Order automated instead' }).click()
  await expect(payButton(page)).toHaveText('Upload and pay $0.31')
})

test('a recording that was ordered before is recognized when it is chosen again', async ({
  page,
  account,
  service,
}) => {
  const interview = await tone(65, 'Interview.m4a')
  await signIn(page, account.key)
  await startOrder(page, interview)
  await expect(page.getByRole('link', { name: 'Interview', exact: true })).toBeVisible()
  await expectOrders(service, account, 1)
  await page.getByRole('link', { name: 'New order' }).first().click()
  // Detected by content, whatever its name.
  const renamed = join(interview, '..', 'REC_0042.m4a')
  await copyFile(interview, renamed)
  await page.getByLabel('Choose files').setInputFiles(renamed)
  await expect(row(page, 'REC_0042.m4a')).toContainText('Already on the account as “Interview”')
  await expect(page.getByRole('button', { name: 'Upload and pay' })).toBeDisabled()
  await page.getByLabel('Order the duplicate, too').check()
  await expect(payButton(page)).toBeEnabled()
})

test('an order made offline waits, and is sent automatically when the connection is back', async ({
  context,
  page,
  account,
  service,
}) => {
  const recording = await tone(5, 'Train.wav')
  await signIn(page, account.key)
  // The page of the batch, which a busy browser fetches late.
  const fetched = page.waitForResponse(/batch-route/)
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Automated/ }).check()
  await fetched
  await context.setOffline(true)
  await page.getByLabel('Choose files').setInputFiles(recording)
  await expect(page.getByText('Offline: sent once the connection is back')).toBeVisible()
  await payButton(page).click()
  await expect(dock(page)).toContainText('This device is offline.')
  await expectOrders(service, account, 0)
  await context.setOffline(false)
  await expect(dock(page)).toContainText('1 file in this order')
  await expectOrders(service, account, 1)
})

test('signing out and closing ask for confirmation during uploads', async ({ page, account, service, network }) => {
  await signIn(page, account.key, { at: signInPage(network) })
  await fillTray(page, await bigRecording())
  network.slowTo(500_000)
  await payButton(page).click()
  await expect(page).toHaveTitle(/^\(\d+%\) Order/)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('dialog')).toContainText('1 upload is not finished')
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  const asked = page.waitForEvent('dialog')
  const closing = page.close({ runBeforeUnload: true })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await closing
  network.mend()
  await expect(dock(page)).toContainText('1 file in this order')
  await expect(page).toHaveTitle(/^(\(1\) )?Order/)
  await expectOrders(service, account, 1)
})

test('an order is created and paid by keyboard alone', async ({ page, account, service }) => {
  await signIn(page, account.key)
  await page.getByRole('link', { name: 'New order' }).first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: /Manual/ }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: /Automated/ })).toBeChecked()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'choose files' }).focus()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles([await tone(4, 'First.wav'), await tone(5, 'Second.wav')])
  await expect(payButton(page)).toBeEnabled()
  await page.getByRole('button', { name: 'Remove Second.wav' }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page.getByRole('row').nth(1)).toContainText('Second.wav')
  await page.getByRole('button', { name: 'Remove First.wav' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row')).toHaveCount(2)
  await payButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(dock(page)).toContainText('1 file in this order')
  await expectOrders(service, account, 1)
})

async function readHead(path: string): Promise<Buffer> {
  return (await readFile(path)).subarray(0, 64_000)
}

test('after the first payment the list waits for the file, and never says that there is none', async ({
  page,
  account,
}) => {
  await signIn(page, account.key)
  await expect(page.getByText('Drop a recording here')).toBeVisible()
  await page.getByRole('link', { name: 'New order' }).first().click()
  await fillTray(page, await tone(5, 'First.m4a'))
  const sending = Promise.withResolvers<void>()
  await page.route('**/v1/files*', async (route) => {
    if (route.request().method() === 'POST') await sending.promise
    await route.continue()
  })
  await page.evaluate(() => {
    const look = () => {
      if (document.body.textContent?.includes('Drop a recording here')) document.body.dataset.saidEmpty = 'yes'
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
  })
  await payButton(page).click()
  await page.getByRole('link', { name: /^Files/ }).click()
  await expect(page.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible()
  await expect(page.getByText('Uploading…', { exact: true })).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading files' })).toBeVisible()
  sending.resolve()
  await expect(page.getByRole('row', { name: 'First' })).toBeVisible()
  await expect(page.locator('body')).not.toHaveAttribute('data-said-empty')
})
