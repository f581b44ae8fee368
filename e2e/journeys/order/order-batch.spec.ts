import { copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import type { Usage } from '../../../src/contract/account/usage.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm } from '../../../src/service/testing/test-service.ts'
import type { BadNetwork } from '../../kit/bad-network.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { bigRecording, expectOrders, fillTray, payButton, startOrder } from '../../kit/order-page.ts'
import { tone } from '../../kit/recordings.ts'
import type { NewAccount } from '../../kit/service-process.ts'
import { signIn, signInPage } from '../../kit/sign-in.ts'

/* After the press, the page of a new order is the page of its batch. */

const batch = (page: Page) => page.getByRole('region', { name: 'Order', exact: true })
const pill = (page: Page) => page.getByRole('region', { name: 'Uploads', exact: true }).getByRole('link')

/** In the middle of an upload, which the browser asks about. */
async function reloadOverGoodLine(
  page: Page,
  { account, network }: { account: NewAccount; network: BadNetwork },
): Promise<void> {
  page.once('dialog', (question) => void question.accept())
  await page.reload()
  network.mend()
  await signIn(page, account.key, { at: null })
}

/** An order of two recordings that a reload has interrupted before the first was sent. @returns their paths */
async function interruptedOrder(
  page: Page,
  { account, network }: { account: NewAccount; network: BadNetwork },
): Promise<[string, string]> {
  const paths: [string, string] = [await bigRecording('Long.wav'), await bigRecording('Longer.wav', 121)]
  await signIn(page, account.key, { at: signInPage(network) })
  await fillTray(page, paths)
  network.slowTo(200_000)
  await payButton(page).click()
  await expect(batch(page)).toContainText('MB/s')
  await reloadOverGoodLine(page, { account, network })
  return paths
}

test('the page of an order leads to its ZIP, keeps its address, and is the same on a second device', {
  tag: '@slow',
}, async ({ page, browser, account, service }) => {
  await signIn(page, account.key, { keep: true })
  await startOrder(page, [await tone(4, 'One.wav'), await tone(5, 'Two.wav')])
  await expect(page.getByRole('heading', { name: /^Order of /, level: 1 })).toBeVisible()
  await expect(batch(page)).toContainText('2 files in this order · all ready')
  await expectNoAxeFindings(page)
  const address = page.url()
  // Another order is on a page of its own.
  await batch(page).getByRole('link', { name: 'New order' }).click()
  await expect(page.getByText('Drop recordings or folders here')).toBeVisible()
  await startOrder(page, await tone(6, 'Three.wav'))
  await expect(batch(page)).toContainText('1 file in this order')
  await expect(page.getByRole('row', { name: 'One' })).toHaveCount(0)

  const other = await browser.newPage()
  await signIn(other, account.key, { at: new URL(address) })
  await expect(batch(other)).toContainText('2 files in this order · all ready')
  await expect(other.getByRole('row', { name: 'Three' })).toHaveCount(0)
  // As in their folder, whichever was sent first.
  await expect(other.getByRole('row', { name: /One|Two/ })).toContainText(['One', 'Two'])
  await expect(other.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  await other.evaluate(() => Object.assign(window, { showSaveFilePicker: undefined }))
  // The first download of a new device: one press, and what comes is in the format that the button names.
  const zip = other.waitForEvent('download')
  await batch(other).getByRole('button', { name: 'Download all · DOCX' }).click()
  expect((await zip).suggestedFilename()).toMatch(/^Order of \d+ \w+, \d\d_\d\d\.zip$/)
  const entries = unzipSync(await readFile(await (await zip).path()))
  expect(Object.keys(entries).sort()).toEqual(['One.docx', 'Two.docx'])
  expect(unzipSync(entries['One.docx'] as Uint8Array)).toHaveProperty(['word/document.xml'])
  await expect(other.getByRole('region', { name: 'Messages' })).toContainText('Saved 2 transcripts')
  await other.close()

  await page.goto(address)
  await expect(batch(page)).toContainText('2 files in this order · all ready')
  // What is archived stays part of the order: listed, counted and downloaded.
  await page.getByRole('button', { name: 'More for Two' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(batch(page)).toContainText('2 files in this order · 1 archived · all ready')
  await expect(page.getByRole('row', { name: 'Two' })).toContainText('archived')
  await batch(page).getByRole('button', { name: 'Download all in another format' }).click()
  await expect(page.getByRole('dialog')).toContainText('2 transcripts')
  await page.keyboard.press('Escape')
  // While one is not ready, the ZIP has what its button says.
  const body = new FormData()
  body.set('file', new Blob([await readFile(await tone(7))], { type: 'audio/wav' }), 'Typed.wav')
  const headers = { 'order-batch': address.split('/').at(-1) ?? '' }
  await askApi(service.url, account.key, 'files?transcript_type=manual', { method: 'POST', headers, body })
  await batch(page).getByRole('button', { name: 'Download the 2 ready in another format' }).click()
  await expect(page.getByRole('dialog')).toContainText('2 transcripts')
  await expect(page.getByRole('dialog')).not.toContainText('not ready')
  await page.goto(address.replace(/[^/]+$/, 'never-ordered'))
  await expect(page.getByRole('heading', { name: 'This order has no files' })).toBeVisible()
  await expectOrders(service, account, 4)
})

test('a file that is deleted right after its order no longer counts', { tag: '@slow' }, async ({ page, account }) => {
  await signIn(page, account.key)
  await startOrder(page, [await tone(4, 'One.wav'), await tone(5, 'Two.wav')])
  await expect(batch(page)).toContainText('2 files in this order · all ready')
  await page.getByRole('button', { name: 'More for Two' }).click()
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(batch(page)).toContainText('1 file in this order · all ready')
})

test('elsewhere one line leads to the order, and after a reload its files are chosen again there', {
  tag: '@slow',
}, async ({ page, account, service, network }) => {
  const paths = [
    await tone(3, 'A short one.wav'),
    await bigRecording('Long.wav'),
    await bigRecording('Longer.wav', 121),
  ]
  await signIn(page, account.key, { at: signInPage(network) })
  await fillTray(page, paths)
  network.slowTo(1_500_000)
  await payButton(page).click()
  await expect(batch(page)).toContainText('1 of 3 sent')
  await expect(batch(page)).toContainText('MB/s')
  await page.getByRole('link', { name: 'Usage' }).click()
  await expect(pill(page)).toContainText('1 of 3 sent')
  await expectNoAxeFindings(page)
  await pill(page).click()
  await expect(batch(page)).toContainText('1 of 3 sent')
  await expect(pill(page)).toHaveCount(0)

  await reloadOverGoodLine(page, { account, network })
  // What was ordered before the reload still counts.
  await expect(batch(page)).toContainText('1 of 3 sent')
  await expect(batch(page)).toContainText('The page was reloaded or closed before 2 files were sent.')
  await expect(batch(page)).toContainText(/nothing is charged again. They cost \$0.40/)
  await expectNoAxeFindings(page)
  await page.getByRole('link', { name: 'Usage' }).click()
  await expect(pill(page)).toHaveText('2 files wait for you')
  await pill(page).click()
  const chooser = page.waitForEvent('filechooser')
  await batch(page).getByRole('button', { name: 'choose them again' }).click()
  await (await chooser).setFiles([...paths, await tone(7, 'Of another order.wav')])
  const message = page.getByRole('region', { name: 'Messages' })
  await expect(message).toContainText('2 uploads continued')
  await expect(message).toContainText('1 file was already sent. 1 other file added to a new order.')
  await expect(batch(page)).toContainText('3 files in this order')
  await expectOrders(service, account, 3)
  await message.getByRole('button', { name: 'New order' }).click()
  await expect(page.getByRole('row', { name: /Of another order/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /A short one/ })).toHaveCount(0)
})

test('files of an earlier order that are chosen for a new one go on with one press, at the price that it says', {
  tag: '@slow',
}, async ({ page, account, service, network }) => {
  const paths = await interruptedOrder(page, { account, network })
  await page.getByRole('link', { name: 'New order' }).first().click()
  await expect(page.getByRole('heading', { name: 'New order', level: 1 })).toBeVisible()
  await page.getByLabel('Choose files').setInputFiles([...paths, await tone(7, 'Of this order.wav')])
  await expect(page.getByText('1 of 3 files will be ordered · left out: 2 duplicates')).toBeVisible()
  await expectNoAxeFindings(page)
  await expectOrders(service, account, 0)
  await page.getByRole('button', { name: 'Continue that order with 2 files: Automated, $0.40' }).click()
  await expect(batch(page)).toContainText('2 files in this order')
  await expectOrders(service, account, 2)
  const { charged_cents } = await accountClient(service.url, account.key).read<Usage>('GET', 'usage')
  expect(charged_cents).toBe(40)
  await page.getByRole('link', { name: 'New order' }).first().click()
  await expect(page.getByRole('row', { name: /Of this order/ })).toBeVisible()
})

test('a recording that was ordered elsewhere while its order waited is asked about, not charged again', {
  tag: '@slow',
}, async ({ page, account, service, network }) => {
  const paths = await interruptedOrder(page, { account, network })
  // A second window of this browser does not call the order complete.
  const second = await page.context().newPage()
  await second.goto(page.url())
  await expect(batch(second)).toContainText('0 of 2 sent · 2 in another window of this browser')
  await second.close()
  const body = fileForm(await readFile(paths[0]), { name: 'Long.wav', type: 'audio/wav' })
  expect((await askApi(service.url, account.key, 'files', { method: 'POST', body })).status).toBe(201)
  const chooser = page.waitForEvent('filechooser')
  await batch(page).getByRole('button', { name: 'choose them again' }).click()
  await (await chooser).setFiles(paths)
  await expect(batch(page)).toContainText('Your account already has this recording. Nothing was charged.')
  // The other recording may still be on its way.
  await expect(() => expectOrders(service, account, 2)).toPass({ timeout: 30_000 })
  await batch(page).getByRole('button', { name: 'Order anyway' }).click()
  await expect(batch(page)).toContainText('2 files in this order')
  await expectOrders(service, account, 3)
})

test('a folder that continues its order brings back nothing that the order left out', async ({
  page,
  account,
  network,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-folder-'))
  const recording = await bigRecording('Hearing.wav')
  await copyFile(recording, join(folder, 'Hearing.wav'))
  await copyFile(recording, join(folder, 'Hearing (copy).wav'))
  await writeFile(join(folder, 'Notes.txt'), 'no recording')
  await signIn(page, account.key, { at: signInPage(network) })
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Automated/ }).check()
  await page.getByLabel('Choose a folder').setInputFiles(folder)
  await expect(page.getByText('1 of 3 files will be ordered')).toBeVisible()
  network.slowTo(1_500_000)
  await payButton(page).click()
  await expect(batch(page)).toContainText('MB/s')
  await reloadOverGoodLine(page, { account, network })
  const chooser = page.waitForEvent('filechooser')
  await batch(page).getByRole('button', { name: 'its folder' }).click()
  await (await chooser).setFiles(folder)
  const message = page.getByRole('region', { name: 'Messages' })
  await expect(message).toContainText('1 upload continued')
  await expect(message).toContainText('2 other files in the folder left out.')
  await expect(batch(page)).toContainText('1 file in this order')
  await message.getByRole('button', { name: 'Order these, too' }).click()
  await expect(page.getByRole('row', { name: /Notes/ })).toBeVisible()
})

test('an order says when all of it is ready, on another page and where the browser refuses notifications', {
  tag: '@slow',
}, async ({ page, account, network }) => {
  await signIn(page, account.key, { at: signInPage(network) })
  await fillTray(page, await bigRecording('Hearing.wav', 20))
  network.slowTo(1_000_000)
  await page.evaluate(() => {
    document.documentElement.dataset.asked = ''
    Notification.requestPermission = async () => {
      document.documentElement.dataset.asked += 'once'
      return 'denied'
    }
  })
  await payButton(page).click()
  const root = page.locator('html')
  await expect(root).toHaveAttribute('data-asked', '')
  await batch(page).getByRole('switch', { name: 'Tell me when all are ready' }).check()
  await expect(batch(page)).toContainText('This browser shows no notifications of Parley.')
  await expect(root).toHaveAttribute('data-asked', 'once')
  await expectNoAxeFindings(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  network.mend()
  const message = page.getByRole('region', { name: 'Messages' })
  // The whole recognition is in this wait.
  await expect(message).toContainText('Your order is ready', { timeout: 90_000 })
  await message.getByRole('button', { name: 'Open' }).click()
  await expect(batch(page)).toContainText('1 file in this order · all ready')
})
