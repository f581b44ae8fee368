import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { askApi } from '../src/service/testing/ask-api.ts'
import { rowOf } from './files-page.ts'
import { expectNoAxeFindings, openPage, test } from './fixtures.ts'
import { tone } from './recordings.ts'
import { ServiceProcess } from './service-process.ts'
import { signIn, signInPage } from './sign-in.ts'

/** Orders a recording as a program does. @returns its id */
async function order(service: ServiceProcess, key: string, path: string, name: string): Promise<string> {
  const body = new FormData()
  body.set('file', new Blob([await readFile(path)], { type: 'audio/wav' }), name)
  const made = await askApi(service.url, key, 'files?transcript_type=manual', { method: 'POST', body })
  return ((await made.json()) as { id: string }).id
}

test('a recording that is on the account twice says so, and leads to the other', async ({ page, account, service }) => {
  const path = await tone(3)
  const first = await order(service, account.key, path, 'First.wav')
  await order(service, account.key, path, 'Again.wav')
  await signIn(page, account.key)
  await expect(rowOf(page, 'First')).toContainText('duplicate')
  await expect(rowOf(page, 'Again')).toContainText('duplicate')
  await page.getByRole('link', { name: 'Again', exact: true }).click()
  await expect(page.getByText('Same recording as')).toBeVisible()
  await page.getByRole('link', { name: 'First', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/files/${first}$`))
})

test('a late file says why and when it comes, and support is there to be asked', async ({ page }) => {
  const env = { RECOGNISER: 'sherpa', OFFLINE: '1', LOG_LEVEL: 'warn', SUPPORT_EMAIL: 'help@parley.example' }
  const service = await ServiceProcess.start(env)
  try {
    const { key, account } = await service.createAccount('live')
    const id = await order(service, key, await tone(3), 'Hearing.wav')
    await signIn(page, key, { at: signInPage(service) })
    await service.parley('delay', id, '--reason', 'poor-audio', '--until', '2098-12-01T12:00:00Z')
    await expect(rowOf(page, 'Hearing')).toContainText(/delayed · The recording is hard to understand.* · due .*2098/)
    await openPage(page, 'Settings')
    await service.parley('account', 'set', account, '--name', 'Ann & Co')
    await expect(page.getByText(`Ann & Co · account ${account}`)).toBeVisible()
    const support = page.getByRole('link', { name: 'help@parley.example' })
    await expect(support).toHaveAttribute('href', `mailto:help@parley.example?subject=Account%20${account}`)
    await expectNoAxeFindings(page)
  } finally {
    await service.remove()
  }
})
