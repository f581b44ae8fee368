import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { dock, dropOnApp, expectOrders, fillTray, payButton, untilDroppable } from '../../kit/order-page.ts'
import { tone } from '../../kit/recordings.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { signIn, signInPage } from '../../kit/sign-in.ts'

async function openOrder(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Automated/ }).check()
}

test('a folder of hundreds is added with all below it, and hidden files are left out', async ({ page, account }) => {
  const folder = join(await mkdtemp(join(tmpdir(), 'parley-folder-')), 'Hearings')
  const sound = await readFile(await tone(1))
  await mkdir(join(folder, 'May/Day two'), { recursive: true })
  for (let index = 0; index < 300; index += 1) {
    // Each a little longer, so that no two are equal.
    await writeFile(join(folder, `Part ${index}.wav`), Buffer.concat([sound, Buffer.alloc(2 * index)]))
  }
  await writeFile(join(folder, 'May/Day two/Closing.wav'), Buffer.concat([sound, Buffer.alloc(2_000)]))
  // Some browsers skip dotfiles automatically, but not other systems' hidden files.
  await writeFile(join(folder, 'May/.Closing.wav.part'), sound)
  await writeFile(join(folder, 'May/desktop.ini'), '[.ShellClassInfo]')
  await signIn(page, account.key)
  await dropOnApp(page, [folder])
  await expect(page.getByText(/hidden files? skipped/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'New order', level: 1 })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Files to order' })).toHaveAttribute('aria-rowcount', '302')
})

test('a dropped folder survives a reload: one click restores every recording, in order', async ({ page, account }) => {
  const folder = join(await mkdtemp(join(tmpdir(), 'parley-interviews-')), 'Interviews')
  const sound = await readFile(await tone(1))
  await mkdir(folder)
  const names = Array.from({ length: 12 }, (_, index) => `Interview ${index + 1}.wav`)
  for (const [index, name] of names.entries()) {
    await writeFile(join(folder, name), Buffer.concat([sound, Buffer.alloc(2 * index)]))
  }
  await signIn(page, account.key, { keep: true })
  await dropOnApp(page, [folder])
  const tray = page.getByRole('table', { name: 'Files to order' })
  const nameOf = (row: number) =>
    tray
      .getByRole('row')
      .nth(row)
      .getByText(/^Interview/)
  await expect(nameOf(2)).toHaveText('Interview 2.wav')
  await expect(nameOf(12)).toHaveText('Interview 12.wav')
  await tray.getByRole('button', { name: 'Recording', exact: true }).click()
  await tray.getByRole('button', { name: 'Recording', exact: true }).click()
  await expect(nameOf(1)).toHaveText('Interview 12.wav')

  await page.reload()
  await expect(page.getByText('The page was reloaded: 12 files to open again.')).toBeVisible()
  await expect(page.getByText('cannot be ordered')).toBeHidden()
  await page.getByRole('button', { name: 'Use the 12 files on this device' }).click()
  await page.getByRole('radio', { name: /Automated/ }).check()
  await expect(page.getByText('12 files · 0:12')).toBeVisible()
  await expect(nameOf(1)).toHaveText('Interview 12.wav')

  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(tray).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('12 files · 0:12')).toBeVisible()
  await expect(nameOf(1)).toHaveText('Interview 12.wav')
})

test('files chosen right after a reload go to the uploads that wait for them', async ({ page, account, service }) => {
  const folder = join(await mkdtemp(join(tmpdir(), 'parley-reloaded-')), 'Hearings')
  await mkdir(folder)
  const paths = ['One.wav', 'Two.wav'].map((name) => join(folder, name))
  for (const [at, path] of paths.entries()) await copyFile(await tone(4 + at), path)
  await signIn(page, account.key, { keep: true })
  await dropOnApp(page, [folder])
  await page.getByRole('radio', { name: /Automated/ }).check()
  await expect(page.getByText('2 files · 0:09')).toBeVisible()
  const project = page.getByLabel('Project', { exact: true })
  await expect(project).toHaveText(/By folder/)
  // On a busy device the page before the reload ends after the new one has begun: another tab holds its lock in its place.
  const tab = await page.evaluate(() => sessionStorage.getItem('parley.tab'))
  const slow = await page.context().newPage()
  await slow.goto('/docs')
  await slow.evaluate((name) => {
    void navigator.locks.request(name, () => new Promise((resolve) => addEventListener('end', resolve)))
  }, `parley-tab-${tab}`)
  await page.reload()
  // Phones give a recording another time whenever it is chosen.
  await utimes(paths[1] ?? '', new Date(), new Date('2026-01-01'))
  await page.getByLabel('Choose files').first().setInputFiles(paths)
  await slow.evaluate(() => dispatchEvent(new Event('end')))
  await expect(page.getByText('2 files · 0:09')).toBeVisible()
  await expect(project).toHaveText(/By folder/)
  await payButton(page).click()
  await expect(page.getByText('2 files in this order')).toBeVisible()
  await expectOrders(service, account, 2)
  await page.getByRole('link', { name: 'New order' }).first().click()
  await expect(page.getByText('Drop recordings or folders here')).toBeVisible()
})

test('a reloaded page keeps its recordings, though another one of the account is open', async ({ page, account }) => {
  await signIn(page, account.key, { keep: true })
  const other = await page.context().newPage()
  await fillTray(page, await tone(4))
  await signIn(other, account.key, { keep: true })
  await other.getByRole('link', { name: 'New order' }).first().click()
  await expect(other.getByText('Drop recordings or folders here')).toBeVisible()
  await page.reload()
  await expect(page.getByText('The page was reloaded: 1 file to open again.')).toBeVisible()
  await expect(other.getByText('Drop recordings or folders here')).toBeVisible()
})

test('an account holder says what a link may cost at most; the service fetches it, but none from a private address', {
  tag: '@slow',
}, async ({ page }) => {
  const sound = await readFile(await tone(4))
  const radio = createServer((_request, response) => response.setHeader('content-type', 'audio/wav').end(sound))
  radio.listen(0, '127.0.0.1')
  await once(radio, 'listening')
  const host = `127.0.0.1:${(radio.address() as AddressInfo).port}`
  const service = await ServiceProcess.start({ RECOGNIZER: 'sherpa', OFFLINE: '1', ALLOW_TARGETS: host })
  try {
    const account = await service.createAccount('live')
    await signIn(page, account.key, { at: signInPage(service) })
    await openOrder(page)
    const field = page.getByLabel('Public link to a recording')
    await field.fill(`http://${host}/Morning%20show.wav`)
    await field.press('Enter')
    await field.fill('http://127.0.0.1:9/secret.wav')
    await field.press('Enter')
    // Two hours of automated transcript for each, unless the customer limits it.
    await expect(page.getByRole('button', { name: 'Upload and pay at most $24.00' })).toBeEnabled()
    const limit = page.getByLabel('At most for each link, USD')
    await limit.fill('a lot')
    await expect(page.getByText('Enter an amount, such as 15.00.')).toBeVisible()
    await limit.fill('0.50')
    await page.getByRole('button', { name: 'Upload and pay at most $1.00' }).click()
    await expect(dock(page)).toContainText('1 of 2 sent')
    await expect(dock(page)).toContainText('1 upload failed')
    await expect(dock(page)).toContainText(/could not be downloaded/)
    await expect(dock(page)).toContainText('Nothing was charged.')
    await expect(page.getByRole('link', { name: 'Morning show', exact: true })).toBeVisible()
    await expectOrders(service, account, 1)
    await openOrder(page)
    await field.fill(`http://${host}/again.wav`)
    await field.press('Enter')
    await page.getByRole('button', { name: 'Upload and pay at most $12.00' }).click()
    await expect(page.getByText('Your account already has this recording. Nothing was charged.').first()).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open that file' }).first()).toBeVisible()
    await expectOrders(service, account, 1)
    await page.getByRole('button', { name: 'Order anyway' }).first().click()
    await expect(page.getByRole('link', { name: 'again', exact: true })).toBeVisible()
    await expectOrders(service, account, 2)
  } finally {
    await service.remove()
    radio.close()
  }
})

for (const status of [429, 503]) {
  test(`an upload answered ${status} continues when the service said, and a copy of its file is known`, async ({
    page,
    account,
    service,
    network,
  }) => {
    const recording = await tone(4, 'Patience.wav')
    await signIn(page, account.key, { at: signInPage(network) })
    await fillTray(page, recording)
    network.answerUploads(status, ['Retry-After: 2'])
    await payButton(page).click()
    await expect(dock(page)).toContainText('The service is busy and asked to wait 2 seconds. Retrying automatically.')
    const copy = join(dirname(recording), 'Copy of Patience.wav')
    await copyFile(recording, copy)
    await openOrder(page)
    await page.getByLabel('Choose files').setInputFiles(copy)
    await expect(page.getByRole('row').nth(1)).toContainText('“Patience.wav”, which is already uploading')
    network.mend()
    await expect(dock(page)).toContainText('1 file ordered')
    await expect(page.getByRole('row').nth(1)).toContainText(
      /Already on the account as “Patience”, ordered .* left out/,
    )
    await expectOrders(service, account, 1)
  })
}

/** Drops a file with a browser file handle, from the origin-private file system, which needs no permission. */
async function dropWithHandle(page: Page, name: string, content: Buffer): Promise<void> {
  await untilDroppable(page)
  await page.evaluate(
    async ({ name, base64 }) => {
      const handle = await (await navigator.storage.getDirectory()).getFileHandle(name, { create: true })
      const writer = await handle.createWritable()
      await writer.write(Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0)))
      await writer.close()
      const transfer = new DataTransfer()
      transfer.items.add(await handle.getFile())
      Object.defineProperty(DataTransferItem.prototype, 'getAsFileSystemHandle', { value: async () => handle })
      for (const type of ['dragenter', 'dragover', 'drop']) {
        const event = new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true })
        document.querySelector('main')?.dispatchEvent(event)
      }
    },
    { name, base64: content.toString('base64') },
  )
}

test('a dropped file is reused by one click after a reload', { tag: '@slow' }, async ({
  page,
  account,
  service,
  network,
}) => {
  await signIn(page, account.key, { at: signInPage(network) })
  await dropWithHandle(page, 'Kept.wav', await readFile(await tone(4)))
  await page.getByRole('radio', { name: /Automated/ }).check()
  await expect(payButton(page)).toBeEnabled()
  await page.reload()
  await signIn(page, account.key, { at: null })
  await expect(page.getByRole('row').nth(1)).toContainText('Choose this file again: the page was reloaded.')
  await page.getByRole('button', { name: 'Use the file on this device' }).click()
  await expect(payButton(page)).toBeEnabled()
  network.answerUploads(503, ['Retry-After: 600'])
  await payButton(page).click()
  await expect(dock(page)).toContainText('asked to wait 10 minutes')
  page.once('dialog', (question) => void question.accept())
  await page.reload()
  network.mend()
  await signIn(page, account.key, { at: null })
  await expect(dock(page)).toContainText(
    'reloaded or closed before 1 file was sent. Nothing has been charged for it yet.',
  )
  await expectNoAxeFindings(page)
  await dock(page).getByRole('button', { name: 'Use the file on this device' }).click()
  await expect(dock(page)).toContainText('1 file in this order')
  await expectOrders(service, account, 1)
})

test('several dropped files are reused by one click on the page of their order, and what was left out is gone from the tray', {
  tag: '@slow',
}, async ({ page, account, service, network }) => {
  await signIn(page, account.key, { at: signInPage(network) })
  await dropWithHandle(page, 'One.wav', await readFile(await tone(4)))
  await dropWithHandle(page, 'Two.wav', await readFile(await tone(5)))
  await dropWithHandle(page, 'Notes.docx', Buffer.from('not a recording'))
  await page.getByRole('radio', { name: /Automated/ }).check()
  await expect(page.getByText('2 of 3 files will be ordered · left out: 1 that is not a recording')).toBeVisible()
  await expect(payButton(page)).toBeEnabled()
  network.answerUploads(503, ['Retry-After: 600'])
  await payButton(page).click()
  await expect(page.getByText('“Notes.docx” left out')).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Order of /, level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('button', { name: 'Remove Notes.docx' }).click()

  page.once('dialog', (question) => void question.accept())
  await page.reload()
  network.mend()
  await signIn(page, account.key, { at: null })
  await dock(page).getByRole('link', { name: '2 files wait for you' }).click()
  await expect(dock(page).getByRole('button', { name: 'Pause uploads' })).toHaveCount(0)
  await expectNoAxeFindings(page)
  await dock(page).getByRole('button', { name: 'Use the 2 files on this device' }).click()
  await expect(dock(page)).toContainText('2 files in this order')
  await expectOrders(service, account, 2)
})

test('on a phone the total and its button stay visible', async ({ page, account }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, account.key)
  await fillTray(
    page,
    await Promise.all(['A.wav', 'B.wav', 'C.wav', 'D.wav'].map((name, index) => tone(40 + index, name))),
  )
  await page.evaluate(() => window.scrollTo(0, 0))
  const bar = page.getByRole('region', { name: 'Total' })
  await expect(bar).toBeInViewport({ ratio: 1 })
  // The price on one line; what the card pays in, which is more, may need a second one.
  const height = async (text: RegExp) => (await bar.getByText(text).first().boundingBox())?.height
  await expect.poll(() => height(/^\$0\.28$/)).toBeLessThan(25)
  await expect.poll(() => height(/^4 files · 2:46 · the card pays in \$20\.00$/)).toBeLessThan(45)
  await expect(bar.getByRole('button', { name: /^Upload/ })).toHaveText('Upload and pay $0.28')
  await expect(payButton(page)).toHaveCount(1)
  await expectNoAxeFindings(page)
})
