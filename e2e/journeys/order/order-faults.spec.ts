import { execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { LedgerPage } from '../../../src/contract/account/usage.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { BadNetwork } from '../../kit/bad-network.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { bigBytes, bigRecording, dock, expectOrders, fillTray, payButton, startOrder } from '../../kit/order-page.ts'
import { tone } from '../../kit/recordings.ts'
import type { NewAccount, ServiceProcess } from '../../kit/service-process.ts'
import { signIn, signInPage } from '../../kit/sign-in.ts'
import { startWithEngine } from '../../kit/start-with-engine.ts'

for (const percent of [10, 50, 99]) {
  test(`an upload that is cut off at ${percent} % is retried automatically and charged once`, { tag: '@slow' }, async ({
    page,
    account,
    service,
    network,
  }) => {
    const recording = await bigRecording()
    await signIn(page, account.key, { at: signInPage(network) })
    await fillTray(page, recording)
    network.slowTo(12_000_000)
    network.cutAfter((bigBytes * percent) / 100)
    await payButton(page).click()
    await expect(dock(page)).toContainText('Retrying automatically')
    await expectNoAxeFindings(page)
    await expectOrders(service, account, 0)
    network.mend()
    await expect(dock(page)).toContainText('1 file in this order')
    await expect(page.getByRole('link', { name: 'Hearing', exact: true })).toBeVisible()
    await expectOrders(service, account, 1)
  })
}

type Unanswered = { account: NewAccount; service: ServiceProcess; network: BadNetwork }

/** What tells the page of new files. */
const lists = /\/account\/(events|files)/

/** Orders a recording; the order is made, its responses are lost, and while {@link lists} are cut off it is not listed. */
async function orderUnanswered(page: Page, { account, service, network }: Unanswered, name: string): Promise<void> {
  const recording = await bigRecording(name, 20)
  await page.route(lists, (route) => route.abort())
  await signIn(page, account.key, { at: signInPage(network) })
  await fillTray(page, recording)
  network.loseAnswers()
  await payButton(page).click()
  await expect(dock(page)).toContainText('Retrying automatically')
  await expectOrders(service, account, 1)
}

test('an order whose response was lost is retried automatically and charged once', async ({
  page,
  account,
  service,
  network,
}) => {
  await orderUnanswered(page, { account, service, network }, 'Lost answer.wav')
  network.mend()
  await expect(dock(page).getByRole('button', { name: 'Pause uploads' })).toBeHidden()
  await page.unroute(lists)
  await expect(dock(page)).toContainText('1 file in this order')
  await expectOrders(service, account, 1)
})

test('an order whose response was lost is known although its retry is refused', { tag: '@slow' }, async ({
  page,
  account,
  service,
  network,
}) => {
  await orderUnanswered(page, { account, service, network }, 'Card removed.wav')
  await accountClient(service.url, account.key).ask('DELETE', 'payment')
  network.mend()
  await expect(dock(page)).toContainText('1 upload failed')
  await page.unroute(lists)
  await expect(dock(page)).toContainText('1 file in this order')
  await expect(dock(page)).not.toContainText('Nothing was charged')
  await expectOrders(service, account, 1)
})

test('an order whose page was closed before the response is known when it is opened again', { tag: '@slow' }, async ({
  page,
  account,
  service,
  network,
}) => {
  await orderUnanswered(page, { account, service, network }, 'Closed.wav')
  await page.unroute(lists)
  page.once('dialog', (question) => void question.accept())
  await page.reload()
  network.mend()
  await signIn(page, account.key, { at: null })
  // Its file need not be chosen again.
  await expect(dock(page)).toContainText('1 file in this order')
  await expectOrders(service, account, 1)
})

test('unattended uploads resume after the service was killed and restarted', { tag: '@slow' }, async ({ page }) => {
  const service = await startWithEngine()
  const network = await BadNetwork.to(service.url)
  try {
    const account = await service.createAccount('live')
    const paths = [
      await bigRecording('One.wav'),
      await bigRecording('Two.wav', 121),
      await bigRecording('Three.wav', 122),
    ]
    await signIn(page, account.key, { at: signInPage(network) })
    await fillTray(page, paths)
    network.slowTo(5_000_000)
    await payButton(page).click()
    await expect(dock(page)).toContainText('MB/s')
    await service.kill()
    await expect(dock(page)).toContainText('The service cannot be reached. Retrying automatically.')
    network.mend()
    await service.boot()
    await expect(dock(page)).toContainText('3 files in this order')
    await expectOrders(service, account, 3)
  } finally {
    await network.close()
    await service.remove()
  }
})

test('an upload to a service without room on its disk says so, and nothing is charged', async ({ page }) => {
  test.skip(process.getuid?.() !== 0, 'needs root, to mount a small disk')
  const disk = await mkdtemp(join(tmpdir(), 'parley-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk])
  const before = process.env.TMPDIR
  process.env.TMPDIR = disk
  const service = await startWithEngine('fake', { LOG_LEVEL: 'fatal' })
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  try {
    const account = await service.createAccount('live')
    const recording = await bigRecording()
    await signIn(page, account.key, { at: signInPage(service) })
    await startOrder(page, [recording, await tone(3, 'Small.wav')])
    await expect(dock(page)).toContainText('The service is out of storage space. Nothing was charged.')
  } finally {
    await service.remove()
    execFileSync('umount', [disk])
    await rm(disk, { recursive: true })
  }
})

for (const [status, words] of [
  [413, 'The file is over 10 GB. Nothing was charged.'],
  [415, 'Refused on the way. Nothing was charged.'],
] as const) {
  test(`an upload that is refused with ${status} says why, and nothing is charged`, async ({
    page,
    account,
    service,
    network,
  }) => {
    await signIn(page, account.key, { at: signInPage(network) })
    await fillTray(page, await tone(5, 'Note.wav'))
    network.answerUploads(status)
    await payButton(page).click()
    await expect(dock(page)).toContainText(words)
    await expect(dock(page).getByRole('button', { name: 'Try again' })).toHaveCount(0)
    await expectOrders(service, account, 0)
  })
}

test('a fake recording is refused, and nothing is charged', async ({ page, account, service }) => {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-order-')), 'Fake.flac')
  await writeFile(path, Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(100_000, 7)]))
  await signIn(page, account.key)
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Automated/ }).check()
  await page.getByLabel('Choose files').setInputFiles(path)
  await page.getByRole('button', { name: /^Upload and pay/ }).click()
  await expect(dock(page)).toContainText('1 upload failed')
  await expect(dock(page)).toContainText('Nothing was charged.')
  await expectOrders(service, account, 0)
})

test('a declined card pauses the uploads and says so', async ({ page, account, service }) => {
  await accountClient(service.url, account.key).read('PUT', 'payment', { test_card: 'declines' })
  await signIn(page, account.key)
  const paths = await Promise.all(['A.wav', 'B.wav', 'C.wav', 'D.wav'].map((name, index) => tone(4 + index, name)))
  await startOrder(page, paths)
  await expect(dock(page)).toContainText(/declined.* Nothing was charged\. Check the card, then try again\./)
  await expect(dock(page).getByRole('link', { name: 'Settings › Money' }).first()).toBeVisible()
  await expect(dock(page)).toContainText('Paused')
  await expectOrders(service, account, 0)
})

test('uploads resume with a new key after theirs was revoked', { tag: '@slow' }, async ({
  page,
  account,
  service,
  network,
}) => {
  const paths = [await bigRecording('One.wav'), await bigRecording('Two.wav', 121), await tone(4, 'Three.wav')]
  await signIn(page, account.key, { at: signInPage(network) })
  await fillTray(page, paths)
  network.slowTo(6_000_000)
  await payButton(page).click()
  await expect(dock(page)).toContainText('MB/s')
  await service.parley('key', 'revoke', account.key)
  await expect(page).toHaveURL(/sign-in/)
  network.mend()
  const { key } = JSON.parse(await service.parley('key', 'create', account.account)) as { key: string }
  await signIn(page, key, { at: null })
  const again = dock(page).getByRole('button', { name: /^(Try again|Retry all)$/ })
  await expect(again.first().or(dock(page).getByText('3 files in this order'))).toBeVisible()
  if (await again.first().isVisible()) await again.first().click()
  await expect(dock(page)).toContainText('3 files in this order')
  await expectOrders(service, { ...account, key }, 3)
})

for (const fate of ['changed', 'deleted'] as const) {
  test(`a file that was ${fate} on disk before it was sent is not ordered`, async ({ page, account, service }) => {
    const path = await tone(4, 'Draft.wav')
    await signIn(page, account.key)
    await fillTray(page, path)
    if (fate === 'changed') await copyFile(await tone(9, 'Draft.wav'), path)
    else await rm(path)
    await payButton(page).click()
    await expect(dock(page)).toContainText(
      fate === 'changed' ? 'The file changed on disk' : 'The file was moved or deleted',
    )
    await expect(dock(page)).toContainText('Nothing was charged.')
    await expectOrders(service, account, 0)
    const replacement = await tone(9, 'Draft.wav')
    await fillTray(page, replacement)
    await expect(dock(page)).toHaveCount(0)
    await payButton(page).click()
    await expect(dock(page)).toContainText('1 file in this order')
    await expectOrders(service, account, 1)
  })
}

test('an upload whose tab was closed comes back and asks for its file', async ({
  context,
  page,
  account,
  service,
  network,
}) => {
  const recording = await bigRecording()
  await signIn(page, account.key, { at: signInPage(network) })
  await fillTray(page, recording)
  // Not done for two minutes, however long the tab takes to close on a busy machine.
  network.slowTo(200_000)
  await payButton(page).click()
  await expect(dock(page)).toContainText('MB/s')
  await page.close()
  network.mend()
  const again = await context.newPage()
  await signIn(again, account.key, { at: signInPage(network) })
  await expect(dock(again)).toContainText('1 file waits for you')
  // A new order says nothing of the other's price and options: there it goes on only if that is asked for.
  await again.getByRole('link', { name: 'New order' }).first().click()
  await again.getByRole('radio', { name: /^Manual/ }).check()
  await again.getByLabel('Choose files').setInputFiles(recording)
  const row = again.getByRole('row', { name: /An earlier order waits for this recording · left out/ })
  const goOn = row.getByRole('button', { name: 'Continue that order: Automated, $0.20' })
  await expect(goOn).toBeVisible()
  await expectOrders(service, account, 0)
  await goOn.click()
  await expect(again).toHaveURL(/\/order\/[\w-]+$/)
  await expect(again.getByRole('region', { name: 'Order' })).toContainText('1 file in this order')
  await expectOrders(service, account, 1)
  const client = accountClient(service.url, account.key)
  const { entries } = await client.read<LedgerPage>('GET', 'ledger')
  expect(entries).toMatchObject([{ transcript_type: 'automated', amount_cents: 20 }])
})

test('two tabs never send one upload twice', async ({ context, page, account, service, network }) => {
  const recording = await bigRecording()
  await signIn(page, account.key, { at: signInPage(network) })
  await fillTray(page, recording)
  network.slowTo(4_000_000)
  await payButton(page).click()
  await expect(dock(page)).toContainText('MB/s')
  const other = await context.newPage()
  await signIn(other, account.key, { at: signInPage(network) })
  await expect(other.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible()
  await expect(dock(other)).toHaveCount(0)
  network.mend()
  await expect(dock(page)).toContainText('1 file in this order')
  await expect(other.getByRole('link', { name: 'Hearing', exact: true })).toBeVisible()
  await expectOrders(service, account, 1)
})
