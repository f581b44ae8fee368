import { expect } from '@playwright/test'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { openOn, sample } from '../../kit/devices.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { openTask } from '../../kit/transcript-tasks.ts'

test('project, tags and note of a file are beside its text', async ({ browser, service, sandboxAccount }) => {
  const id = await sample(service, sandboxAccount)
  const client = accountClient(service.url, sandboxAccount.key)
  await client.read('PATCH', 'labels', { ids: [id], note: 'For Mrs Obi', add_tags: ['court', 'urgent'] })
  const { id: project } = await client.read<{ id: string }>('POST', 'projects', { name: 'Harbour Board' })
  await client.read('PUT', 'projects/files', { files: [{ id, project }] })
  const page = await openOn(browser, service, sandboxAccount, id)
  await openTask(page, 'File')
  const panel = page.getByRole('tabpanel')
  await expect(panel.getByText('court, urgent')).toBeVisible()
  await expect(panel.getByText('For Mrs Obi')).toBeVisible()
  await expectNoAxeFindings(page)
  await panel.getByRole('link', { name: 'Harbour Board' }).click()
  await expect(page.getByRole('heading', { name: 'Harbour Board' })).toBeVisible()
})
