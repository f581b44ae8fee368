import { expect } from '@playwright/test'
import { dayMs } from '../../../src/contract/common/durations.ts'
import { pressMore, rowOf } from '../../kit/files-page.ts'
import { expectNoAxeFindings, openPage, test } from '../../kit/fixtures.ts'
import { seedFiles } from '../../kit/seed-files.ts'
import { signIn } from '../../kit/sign-in.ts'

/* Retention rules: automatic deletions are previewed and announced a week ahead, and held files stay. */

test('a rule says what it will delete before it is made, marks it in the list, and a hold stops it', {
  tag: '@slow',
}, async ({ page, service, account }) => {
  const made = (name: string, daysAgo: number) => ({ name, created_at: Date.now() - daysAgo * dayMs })
  const names = ['Hearing 1', 'Hearing 2', 'Lecture'] as const
  await seedFiles(service.dataDir, account.account, 'live', [made(names[0], 90), made(names[1], 80), made(names[2], 3)])
  await signIn(page, account.key)
  await expect(rowOf(page, 'Lecture')).toBeVisible()

  await openPage(page, 'Settings')
  const section = page.getByRole('region', { name: 'Automatic deletion' })
  await expect(section).toContainText('everything is kept')
  await section.getByRole('button', { name: 'New rule' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Fill in at least one.')
  await expect(dialog.getByRole('button', { name: 'Show what will be deleted' })).toBeDisabled()
  await dialog.getByLabel('Delete the recording, keep the text').fill('3')
  await expect(dialog.getByRole('button', { name: 'Show what will be deleted' })).toBeDisabled()
  await dialog.getByLabel('Delete the recording, keep the text').fill('30')
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Show what will be deleted' }).click()
  const asked = page.getByRole('dialog', { name: 'What this rule does' })
  await expect(asked).toContainText('2 recordings are deleted')
  await asked.getByText('Deleted first').click()
  await expect(asked).toContainText('Hearing 1')
  await expectNoAxeFindings(page)
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(section).toContainText('everything is kept')

  await section.getByRole('button', { name: 'New rule' }).click()
  await dialog.getByLabel('Delete the recording, keep the text').fill('30')
  await dialog.getByRole('button', { name: 'Show what will be deleted' }).click()
  await asked.getByRole('button', { name: 'Save rule' }).click()
  await expect(section).toContainText('recordings after 30 days')
  await expectNoAxeFindings(page)

  await page.getByRole('link', { name: /^Files/ }).click()
  await expect(page.getByText(/Will be deleted automatically: 2 recordings on/)).toBeVisible()
  await expect(rowOf(page, 'Hearing 1')).toContainText('recording deleted')
  await expect(rowOf(page, 'Lecture')).not.toContainText('deleted')
  await page.getByRole('button', { name: 'More for Hearing 1' }).click()
  await page.getByRole('menuitem', { name: 'Keep forever' }).click()
  await expect(rowOf(page, 'Hearing 1')).toContainText('kept forever')
  await expect(page.getByText(/Will be deleted automatically: 1 recording on/)).toBeVisible()
  await expectNoAxeFindings(page)
  await page.getByRole('link', { name: 'Show them' }).click()
  await expect(rowOf(page, 'Hearing 1')).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Select Hearing 2' }).click()
  await pressMore(page, 'Keep forever')
  await expect(page.getByText(/Will be deleted automatically/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByText(/Will be deleted automatically: 1 recording on/)).toBeVisible()
})
