import { expect, type Page } from '@playwright/test'
import type { CreatedApiKey, NewApiKey } from '../../../src/contract/account/keys.ts'
import type { Project } from '../../../src/contract/account/projects.ts'
import { type AccountClient, accountClient } from '../../../src/service/testing/account-client.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import type { NewAccount } from '../../kit/service-process.ts'
import { sessionOf, storeSession } from '../../kit/stored-session.ts'

const makeTalk = async (client: AccountClient) => (await client.read<{ id: string }>('POST', 'tools/talk')).id

/** Signs in with a new key of the account. */
async function signInWith(page: Page, account: NewAccount, client: AccountClient, limits: Partial<NewApiKey>) {
  const { key } = await client.read<CreatedApiKey>('POST', 'keys', { name: 'Limited', ...limits })
  await storeSession(page, sessionOf({ ...account, key }, 'sandbox'))
}

test('a key for reading shows files and texts, and hides what it may not do', { tag: '@slow' }, async ({
  page,
  sandboxAccount: account,
  service,
}) => {
  const client = accountClient(service.url, account.key)
  const id = await makeTalk(client)
  await signInWith(page, account, client, { rights: ['read'] })
  await page.goto(`/sandbox/files/${id}`)
  const turn = page.getByRole('article').first()
  await expect(turn).toContainText('Printing, in the only sense')
  // A key that is pressed before the code for correcting is here does nothing yet.
  await expect(async () => {
    await turn.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('This key may not change texts').first()).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 30_000 })
  await expect(page.locator('[contenteditable]')).toHaveCount(0)
  await page.getByRole('link', { name: 'Files', exact: true }).first().click()
  await page
    .getByRole('row')
    .last()
    .click({ button: 'right', position: { x: 300, y: 20 } })
  await expect(page.getByRole('menuitem', { name: 'Receipt' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Delete…' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'New order' })).toHaveCount(0)
  await page.goto('/sandbox/settings/account')
  await expect(page.getByText(/ may only read\. What it may not do is hidden here/)).toBeVisible()
  await page.goto('/sandbox/settings/keys')
  await expect(page.getByText(/lacks the right “manage”/)).toBeVisible()
  await page.goto('/sandbox/order')
  await expect(page.getByText(/lacks the right “order”/)).toBeVisible()
  await expectNoAxeFindings(page)
})

test('a key of a project shows its files alone', async ({ page, sandboxAccount: account, service }) => {
  const client = accountClient(service.url, account.key)
  const inside = await makeTalk(client)
  const outside = await makeTalk(client)
  const { id } = await client.read<Project>('POST', 'projects', { name: 'Interviews' })
  await client.read('PUT', 'projects/files', { files: [{ id: inside, project: id }] })
  await signInWith(page, account, client, { rights: ['read', 'order', 'correct'], projects: [id] })
  await page.goto(`/sandbox/files/${inside}`)
  await expect(page.getByRole('article').first()).toContainText('Printing, in the only sense')
  await page.getByRole('link', { name: 'Files', exact: true }).first().click()
  await expect(page.getByText(/^1 file/).first()).toBeVisible()
  await page.goto(`/sandbox/files/${outside}`)
  await expect(page.getByText(/not found/i).first()).toBeVisible()
})
