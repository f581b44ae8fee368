import { expect, type Page } from '@playwright/test'
import { setFaults, test } from '../../kit/faults.ts'
import { pressMore, rowOf, tool } from '../../kit/files-page.ts'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import { seedFiles } from '../../kit/seed-files.ts'
import type { NewAccount, ServiceProcess } from '../../kit/service-process.ts'
import { signIn } from '../../kit/sign-in.ts'

/** Creates a sandbox file that a typist works on, ten minutes long. @returns its id */
async function makeTyped(
  service: ServiceProcess,
  account: NewAccount,
  name: string,
  progress: number,
): Promise<string> {
  const file = { seconds: 600, progress_percent: progress, name, transcript_type: 'manual' }
  return (await tool(service, account, 'files', file)).id
}

/** Presses Delete on the row of a file, which asks first. */
async function askToDelete(page: Page, name: string): Promise<void> {
  await rowOf(page, name).focus()
  await page.keyboard.press('Delete')
}

test('deleting names its refund, and refunds that', async ({ page, service, sandboxAccount }) => {
  await makeTyped(service, sandboxAccount, 'Early', 40)
  await signIn(page, sandboxAccount.key)
  await askToDelete(page, 'Early')
  await expect(page.getByRole('dialog')).toContainText('$7.50 of $12.50 will be refunded on the next business day')
  await page.getByRole('button', { name: 'Delete 1 file' }).click()
  await expect(rowOf(page, 'Early')).toBeHidden()
  await expect(page.getByText('$7.50 for “Early” is on the way back to your card, due')).toBeVisible()
  expect(await service.parley('ledger', sandboxAccount.account)).toContain('"amount_cents":-750')
  await page.getByRole('button', { name: 'Dismiss refunds' }).click()
  await signIn(page, sandboxAccount.key)
  await expect(page.getByRole('link', { name: /^Files ?, 0$/ })).toBeVisible()
  await expect(page.getByText('on the way back to your card')).toHaveCount(0)
})

test('a refund that shrinks while it is asked for is shown again first, and a double click deletes once', async ({
  page,
  service,
  sandboxAccount,
}) => {
  const id = await makeTyped(service, sandboxAccount, 'Early', 1)
  await signIn(page, sandboxAccount.key)
  await askToDelete(page, 'Early')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Its transcript is at 1%, so $12.38 of $12.50 will be refunded')
  await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 3 })
  const deletions: number[] = []
  page.on('response', (answer) => {
    if (answer.request().method() === 'DELETE') deletions.push(answer.status())
  })
  await dialog.getByRole('button', { name: 'Delete 1 file' }).dblclick()
  await expect(dialog).toContainText('More was done in the meantime, so less would be refunded.')
  await expect(dialog).toContainText('$12.13 of $12.50 will be refunded')
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Delete 1 file' }).dblclick()
  await expect(rowOf(page, 'Early')).toBeHidden()
  await expect(page.getByText('$12.13 will be refunded on the next business day.')).toHaveCount(1)
  expect(deletions).toEqual([409, 200])
  expect(await service.parley('ledger', sandboxAccount.account)).toContain('"amount_cents":-1213')
})

test('a transcript that becomes ready while its deletion is asked for is not deleted without a refund', async ({
  page,
  service,
  sandboxAccount,
}) => {
  const id = await makeTyped(service, sandboxAccount, 'Nearly', 41)
  await signIn(page, sandboxAccount.key)
  await askToDelete(page, 'Nearly')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('$7.38 of $12.50 will be refunded')
  await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 100 })
  await dialog.getByRole('button', { name: 'Delete 1 file' }).click()
  await expect(dialog).toContainText('It is ready, so there is no refund.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(rowOf(page, 'Nearly')).toBeVisible()
})

test('a file that passes 60 % while its deletion is asked stays, and says why', async ({
  page,
  service,
  sandboxAccount,
}) => {
  const id = await makeTyped(service, sandboxAccount, 'Racing', 50)
  await setFaults(service, { deleteStatus: { [id]: 409 } })
  await signIn(page, sandboxAccount.key)
  await askToDelete(page, 'Racing')
  await page.getByRole('button', { name: 'Delete 1 file' }).click()
  await expect(page.getByRole('alert')).toContainText('It has passed 60% in the meantime')
  await page.getByRole('button', { name: 'Close' }).last().click()
  await expect(rowOf(page, 'Racing')).toBeVisible()
})

test('a file that cannot be deleted now is deleted when it is ready', async ({ page, service, sandboxAccount }) => {
  const id = await makeTyped(service, sandboxAccount, 'Locked', 80)
  await signIn(page, sandboxAccount.key)
  await askToDelete(page, 'Locked')
  await expect(page.getByRole('dialog').last()).toContainText('“Locked” cannot be deleted now')
  await expectNoAxeFindings(page)
  await expect(page.getByRole('button', { name: /^Delete \d/ })).toBeHidden()
  await page.getByRole('button', { name: 'Delete when ready' }).click()
  await expect(rowOf(page, 'Locked')).toContainText('then deleted')
  await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 100 })
  await expect(rowOf(page, 'Locked')).toBeHidden()
})

test('each of many deleted files reports its result', async ({ page, service, account }) => {
  const samples = ['Fresh', 'Racing', 'Done'].map((name, index) => ({
    name,
    seconds: 600,
    progress_percent: [0, 50, 100][index] ?? 0,
  }))
  const [, racing = ''] = await seedFiles(service.dataDir, account.account, 'live', samples)
  await setFaults(service, { deleteStatus: { [racing]: 409 } })
  await signIn(page, account.key)
  await page.getByRole('checkbox', { name: 'Select all files shown' }).check()
  await pressMore(page, 'Delete…')
  await page.getByRole('button', { name: 'Delete 3 files' }).click()
  const results = page.getByRole('alert')
  await expect(results).toContainText('2 files were deleted, 1 not:')
  const lines = results.getByRole('listitem')
  await expect(lines.first()).toHaveText(/^RacingIt has passed 60%/)
  await expect(lines.filter({ hasText: 'Fresh' })).toHaveText(/^FreshDeleted, \$12\.50 refunded$/)
  await expect(lines.filter({ hasText: 'Done' })).toHaveText('DoneDeleted')
  await expectNoAxeFindings(page)
})

test('more than twenty files are deleted only when their number is typed', async ({ page, service, account }) => {
  const samples = Array.from({ length: 21 }, (_, index) => ({ name: `Take ${index + 1}` }))
  await seedFiles(service.dataDir, account.account, 'live', samples)
  await signIn(page, account.key)
  await page.getByRole('checkbox', { name: 'Select all files shown' }).check()
  await pressMore(page, 'Delete…')
  const confirm = page.getByRole('button', { name: 'Delete 21 files' })
  await expect(confirm).toBeDisabled()
  await expectNoAxeFindings(page)
  await page.getByLabel('Type 21 to confirm').fill('21')
  await confirm.click()
  await expect(page.getByText('Drop a recording here')).toBeVisible()
})

test('focus goes on with the next row after archiving and deleting, and from what is dismissed to the page', {
  tag: '@slow',
}, async ({ page, service, sandboxAccount }) => {
  for (const name of ['Fourth', 'Third', 'Second', 'First']) await makeTyped(service, sandboxAccount, name, 40)
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }))
  await signIn(page, sandboxAccount.key)
  await page.getByRole('button', { name: 'More for First' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(rowOf(page, 'Second')).toBeFocused()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Delete 1 file' }).click()
  await expect(rowOf(page, 'Second')).toBeHidden()
  await expect(rowOf(page, 'Third')).toBeFocused()
  await page.getByRole('button', { name: 'More for Fourth' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete 1 file' }).click()
  await expect(rowOf(page, 'Fourth')).toBeHidden()
  await expect(rowOf(page, 'Third')).toBeFocused()
  await page.getByRole('button', { name: 'Dismiss refunds' }).click()
  await expect(rowOf(page, 'Third')).toBeFocused()
  await page.getByRole('button', { name: 'Download all before they are removed' }).click()
  await page.getByRole('button', { name: 'Save ZIP' }).click()
  await expect(page.getByRole('button', { name: 'Done' })).toBeFocused()
})
