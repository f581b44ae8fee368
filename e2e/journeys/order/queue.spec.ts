import { expect } from '@playwright/test'
import { withDatabase } from '../../../src/service/start/cli/operate.ts'
import { test } from '../../kit/fixtures.ts'
import { fillTray } from '../../kit/order-page.ts'
import { tone } from '../../kit/recordings.ts'
import { seedInto } from '../../kit/seed-files.ts'
import { signIn } from '../../kit/sign-in.ts'

/* Estimated recognition times, before paying and while waiting. */

test('an automated order says how long it takes and how many are before it', async ({ page, service, account }) => {
  const options = { transcript_type: 'automated' } as const
  const samples = ['First', 'Second'].map((name, index) => {
    return { name, options, progress_percent: 0, created_at: Date.now() - 60_000 + index, seconds: 600 }
  })
  // They wait for a recognizer that becomes available tomorrow.
  const ids = await withDatabase(service, async (db) => {
    const files = await seedInto(db, account.account, 'live', samples)
    const waiting = { kind: 'speech', state: 'waiting', attempts: 0, payload_json: '{}', created_at: 0 } as const
    const of = (id: string) => ({ ...waiting, id: `j-${id}`, file_id: id, account_id: account.account })
    const run_after = Date.now() + 86_400_000
    await db
      .insertInto('jobs')
      .values(files.map((id) => ({ ...of(id), run_after })))
      .execute()
    return files
  })
  await signIn(page, account.key, { at: `/live/files/${ids[1]}` })
  await expect(page.getByText(/^0% · about .+, (\d+ orders|1 order) before yours$/)).toBeVisible()
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Automated/ }).check()
  await fillTray(page, await tone(65, 'Third.m4a'))
  await expect(page.getByText(/^Ready after the upload in about .+, \d+ orders before yours\.$/)).toBeVisible()
  // Both cards say when they would be ready, whichever is chosen.
  await page.getByRole('radio', { name: /Manual/ }).check()
  await expect(page.getByText('Ready after the upload in')).toBeVisible()
  await withDatabase(service, (db) => db.deleteFrom('jobs').where('file_id', 'in', ids).execute())
})
