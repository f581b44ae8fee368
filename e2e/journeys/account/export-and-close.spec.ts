import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { unzipSync } from 'fflate'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm } from '../../../src/service/testing/test-service.ts'
import { contentText } from '../../kit/downloaded-text.ts'
import { expectNoAxeFindings, openPage, openSettings, test } from '../../kit/fixtures.ts'
import { tone } from '../../kit/recordings.ts'
import { signIn } from '../../kit/sign-in.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('a downloaded export has what the account has', { tag: '@slow' }, async ({ page, sandboxAccount, service }) => {
  const { key } = sandboxAccount
  const client = accountClient(service.url, key)
  const { id } = await client.read<{ id: string }>('POST', 'tools/files', { seconds: 30, progress_percent: 100 })
  await client.read('PATCH', 'labels', {
    ids: [id],
    name: 'Board: “May”',
    note: 'From the archive',
    add_tags: ['board'],
  })
  await signIn(page, key, { keep: true })
  await openSettings(page, 'Account')
  const section = page.getByRole('region', { name: 'Export' })
  await section.getByRole('button', { name: 'Make an export' }).click()
  await expect(section.getByRole('status')).toContainText(/Of .*, with recordings\./)
  await expectNoAxeFindings(page)
  const begun = page.waitForEvent('download')
  await section.getByRole('link', { name: 'Download' }).click()
  const download = await begun
  expect(download.suggestedFilename()).toMatch(/\.zip$/)
  const entries = unzipSync(await readFile(await download.path()))
  const find = (form: RegExp) => Object.entries(entries).find(([name]) => form.test(name))?.[1] ?? new Uint8Array()
  const folder = `^files/Board_ “May” \\(${id}\\)/`

  const words = await (await askApi(service.url, key, `file/${id}.json`)).json()
  const recording = await readFile(join(service.dataDir, 'blobs/files', id, 'media'))
  expect(sha256(find(new RegExp(`${folder}recording\\.`)))).toBe(sha256(recording))
  expect(JSON.parse(Buffer.from(find(new RegExp(`${folder}transcript\\.json`))).toString())).toEqual(words)
  expect(contentText('a.docx', find(new RegExp(`${folder}transcript\\.docx`)))).toContain(
    'This is a sample file of the sandbox.',
  )
  const file = JSON.parse(Buffer.from(find(new RegExp(`${folder}file\\.json`))).toString())
  expect(JSON.stringify(file.file)).toMatch(/Board: “May”.*From the archive/)
  expect(Buffer.from(find(/^README/)).toString()).toContain('transcript')
})

test('an account is closed by its typed name, can be read, and comes back', { tag: '@slow' }, async ({
  page,
  sandboxAccount,
  service,
}) => {
  const { key } = sandboxAccount
  const client = accountClient(service.url, key)
  await client.read('POST', 'tools/files', { seconds: 600, progress_percent: 30 })
  const { id: ready } = await client.read<{ id: string }>('POST', 'tools/files', { seconds: 30, progress_percent: 100 })
  const order = async () => {
    const body = fileForm(await readFile(await tone(5, 'Later.wav')))
    return (await askApi(service.url, key, 'files?transcript_type=automated', { method: 'POST', body })).status
  }
  await signIn(page, key, { keep: true })
  await openSettings(page, 'Account')
  await page.getByRole('button', { name: 'Close…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Close this account?' })
  await expectNoAxeFindings(page)
  const close = dialog.getByRole('button', { name: 'Close the account' })
  await dialog.getByLabel(/^Type the account’s name/).fill('Somebody else')
  await expect(close).toBeDisabled()
  await expect(dialog.getByText(/balance of \$\d+\.\d\d goes back/)).toBeVisible()
  await dialog.getByLabel(/^Type the account’s name/).fill('Test')
  await close.click()
  // What becomes of the money is said before, and after.
  const ofBalance = /balance of \$\d+\.\d\d goes back to the card when the account is erased/
  await expect(page.getByText(/^1 order canceled, \$\d+\.\d\d refunded\./)).toContainText(ofBalance)
  const closed = page.getByRole('region', { name: 'This account is closed' })
  await expect(closed).toContainText(/It is erased on \d/)
  await expect(closed).toContainText(ofBalance)
  await expectNoAxeFindings(page)
  expect(await order()).toBe(403)

  await page.reload()
  await expect(
    page.getByRole('region', { name: 'Export' }).getByRole('button', { name: 'Make an export' }),
  ).toBeEnabled()
  await openPage(page, 'Usage')
  await expect(page.getByRole('table').last()).toContainText('Refund')
  // What the service would refuse is not active; its money can be had.
  await openSettings(page, 'Keys')
  await expect(page.getByRole('button', { name: 'New key…' })).toBeDisabled()
  await page.goto('/sandbox/projects')
  await expect(page.getByRole('button', { name: 'New project…' })).toBeDisabled()
  await page.goto(`/sandbox/files/${ready}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Receipt' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Delete…' })).toHaveCount(0)
  await page.goto('/sandbox/order')
  await expect(page.getByText('This account is closed and orders nothing.')).toBeVisible()
  await page.getByLabel('Choose files').setInputFiles(await tone(5, 'Later.wav'))
  await expect(page.getByRole('button', { name: /^Upload and pay \$/ })).toBeDisabled()
  await openSettings(page, 'Money')
  await expect(page.getByRole('textbox', { name: /^Budget of the account/ })).toBeDisabled()
  await page.getByRole('button', { name: 'Pay back to the card…' }).click()
  await page.getByRole('button', { name: 'Pay back', exact: true }).click()
  await expect(page.getByText('The balance is on its way to the card')).toBeVisible()
  await openSettings(page, 'Account')
  await closed.getByRole('button', { name: 'Open it again' }).click()
  await expect(page.getByText('The account is open again')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close…' })).toBeVisible()
  expect(await order()).toBe(201)
})
