import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { dock, payButton, untilDroppable } from '../../kit/order-page.ts'
import { tone } from '../../kit/recordings.ts'
import { signIn } from '../../kit/sign-in.ts'
import config from '../../playwright.config.ts'

// A fake microphone that beeps, without a permission prompt.
const fakeMicrophone = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
const launchOptions = config.use?.launchOptions ?? {}
test.use({
  permissions: ['microphone', 'clipboard-read', 'clipboard-write'],
  launchOptions: { ...launchOptions, args: [...(launchOptions.args ?? []), ...fakeMicrophone] },
})

async function openOrder(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Automated/ }).check()
}

/** Drops or pastes a file by dispatching the browser's event. */
async function give(page: Page, kind: 'drop' | 'paste', path: string): Promise<void> {
  const bytes = (await readFile(path)).toString('base64')
  await page.evaluate(
    ({ kind: event, base64, name }) => {
      const content = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))
      const transfer = new DataTransfer()
      transfer.items.add(new File([content], name, { type: '' }))
      const main = document.querySelector('main')
      if (event === 'drop') {
        for (const type of ['dragenter', 'dragover', 'drop']) {
          main?.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
        }
      } else main?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true }))
    },
    { kind, base64: bytes, name: basename(path) },
  )
}

for (const kind of ['drop', 'paste'] as const) {
  test(`a ${kind} anywhere in the app leads to the order`, async ({ page, account }) => {
    await signIn(page, account.key)
    if (kind === 'drop') await untilDroppable(page)
    await give(page, kind, await tone(3, 'Dropped.mxf.wav'))
    await expect(page.getByRole('heading', { name: 'New order', level: 1 })).toBeVisible()
    await expect(page.getByRole('row').nth(1)).toContainText('Dropped.mxf.wav')
    await expect(page.getByRole('row').nth(1)).toContainText('0:03')
  })
}

test('a drop before the page can take it is told, and stays on the page', async ({ page, account }) => {
  await page.route('**/drop-handlers-*.js', () => undefined)
  await signIn(page, account.key)
  await give(page, 'drop', await tone(3))
  await expect(page.getByText('The page was still loading. Drop the files again.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible()
})

test('several links are added at once, and invalid ones are reported', async ({ page, account }) => {
  await signIn(page, account.key)
  await openOrder(page)
  const field = page.getByLabel('Public link to a recording')
  await field.fill('not a link')
  await page.getByRole('button', { name: 'Add link' }).click()
  await expect(page.getByText('Enter an address that begins with http:// or https://')).toBeVisible()
  await field.fill('https://radio.example/one.mp3 https://radio.example/two%20words.mp3')
  await field.press('Enter')
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('row').nth(2)).toContainText('two words.mp3')
  await expect(payButton(page)).toHaveText('Upload and pay at most $24.00')
  await expect(payButton(page)).toBeEnabled()
})

test('a link to a page of Dropbox becomes that of its recording, unless it is wanted as it is', async ({
  page,
  account,
}) => {
  await signIn(page, account.key)
  await openOrder(page)
  const field = page.getByLabel('Public link to a recording')
  await field.fill('https://www.dropbox.com/s/a1/talk.mp3?dl=0')
  await field.press('Enter')
  const row = page.getByRole('row').nth(1)
  await expect(row).toContainText('talk.mp3')
  await expect(row.getByTitle('https://www.dropbox.com/s/a1/talk.mp3?dl=1')).toBeVisible()
  await page.getByRole('button', { name: 'Use as pasted' }).click()
  await expect(row.getByTitle('https://www.dropbox.com/s/a1/talk.mp3?dl=0')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)
})

test('a recording made here gets a name, stays over a reload, and is ordered', { tag: '@slow' }, async ({
  page,
  account,
  service,
}) => {
  await signIn(page, account.key)
  await openOrder(page)
  await page.getByRole('button', { name: 'record now' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('timer')).toHaveText('0:02')
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Pause' }).click()
  await expect(dialog.getByRole('button', { name: 'Resume' })).toBeVisible()
  await dialog.getByLabel('Name').fill('Thought of the day')
  await dialog.getByRole('button', { name: 'Add to order' }).click()
  await expect(page.getByRole('row').nth(1)).toContainText(/Thought of the day\.webm.*0:\d\d/)
  await page.reload()
  await signIn(page, account.key, { at: null })
  await expect(page.getByRole('row').nth(1)).toContainText('Thought of the day.webm')
  await payButton(page).click()
  await expect(dock(page)).toContainText('1 file in this order')
  expect((await service.parley('ledger', account.account)).split('\n')).toHaveLength(1)
})

test('a reload in the middle of a recording loses nothing, even after a transcript was open', { tag: '@slow' }, async ({
  page,
  sandboxAccount: account,
  service,
}) => {
  const wanted = { seconds: 30, progress_percent: 100, name: 'Read before' }
  const { id } = await accountClient(service.url, account.key).read<{ id: string }>('POST', 'tools/files', wanted)
  await signIn(page, account.key)
  await page.getByRole('link', { name: 'Read before' }).click()
  await expect(page).toHaveURL(new RegExp(`/files/${id}`))
  await expect(page.getByRole('feed').getByRole('article').first()).toBeVisible()
  await openOrder(page)
  await page.getByRole('button', { name: 'record now' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Half a thought')
  await expect(dialog.getByRole('timer')).toHaveText('0:05')
  await page.reload()
  await signIn(page, account.key, { at: null })
  await expect(page.getByRole('row').nth(1)).toContainText(/Half a thought\.webm.*0:0[2-9]/)
  await expect(payButton(page)).toBeEnabled()
})

test('options are saved as a preset, renamed, and used for some recordings of an order', async ({ page, account }) => {
  await signIn(page, account.key)
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Manual/ }).check()
  await page.getByRole('button', { name: /^Options/ }).click()
  await page.getByRole('switch', { name: /Strict verbatim/ }).click()
  await page.getByLabel('Speaker names', { exact: true }).fill('Ada Obi, Tom Reyes,')
  await expect(page.getByRole('button', { name: /^Options.*Verbatim.*\+\$0\.50 \/ min$/ })).toBeVisible()
  await page.getByRole('button', { name: 'Presets' }).click()
  await page.getByRole('menuitem', { name: /Save these options/ }).click()
  await page.getByLabel('Name', { exact: true }).fill('Hearings')
  await page.getByRole('button', { name: 'Save preset' }).click()
  await page.getByRole('button', { name: 'Presets' }).click()
  await page.getByRole('menuitem', { name: /Rename Hearings/ }).click()
  await page.getByLabel('Name', { exact: true }).fill('Court')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByRole('button', { name: 'Presets' }).click()
  await page.getByRole('menuitem', { name: 'Account defaults' }).click()
  // No typists here: automated again, which has no options.
  await expect(page.getByRole('radio', { name: /Automated/ })).toBeChecked()
  await expect(page.getByRole('switch', { name: /Strict verbatim/ })).toHaveCount(0)

  await page.getByLabel('Choose files').setInputFiles([await tone(60, 'A.mp3'), await tone(60, 'B.mp3', 440)])
  await page.getByRole('row').nth(2).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Presets' }).click()
  await page.getByRole('menuitem', { name: 'Court', exact: true }).click()
  await expect(page.getByRole('row').nth(2)).toContainText('Verbatim · Ada Obi, Tom Reyes')
  await expect(page.getByRole('row').nth(2)).toContainText('$1.75')
  await expect(page.getByRole('row').nth(1)).toContainText('$0.10')
  await expectNoAxeFindings(page)
})

test('an order is copied as a command for curl, without the key', async ({ page, account }) => {
  await signIn(page, account.key)
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Manual/ }).check()
  await page.getByRole('button', { name: /^Options/ }).click()
  await page.getByRole('switch', { name: /Strict verbatim/ }).click()
  await page.getByLabel('Speaker names', { exact: true }).fill('Ada Obi, Tom Reyes,')
  await page.getByLabel('Choose files').setInputFiles(await tone(60, 'B.mp3'))
  await page.getByRole('button', { name: 'More for B.mp3' }).click()
  await page.getByRole('menuitem', { name: 'Copy as curl' }).click()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  expect(command).toContain('strict_verbatim=on')
  expect(command).toContain('speaker_names=Ada%20Obi%2CTom%20Reyes')
  expect(command).not.toContain(account.key)
})
