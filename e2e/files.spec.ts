import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { counts, setFaults, test } from './faults.ts'
import { rowOf, tool } from './files-page.ts'
import { expectNoAxeFindings } from './fixtures.ts'
import { pictureSamples, seedFiles } from './seed-files.ts'
import { signIn, submitKey } from './sign-in.ts'

test('a wrong key is told at the field, and a live key chooses its environment', async ({ page, account }) => {
  await page.goto('/sign-in')
  const field = page.getByLabel('API key', { exact: true })
  await submitKey(page, 'not-a-key')
  await expect(page.getByText('This key is not known in Live. Is it a sandbox key?')).toBeVisible()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expectNoAxeFindings(page)
  await page.getByText('Sandbox', { exact: true }).click()
  await field.fill(account.key)
  await expect(page.getByRole('radio', { name: 'Live' })).toBeChecked()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/live\/files$/)
  await expect(page.getByText('Drop a recording here')).toBeVisible()
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
  expect(kept).not.toContain(account.key)
})

test('search, filters and order stand in the address; the keyboard does all', async ({ page, service, account }) => {
  await seedFiles(service.dataDir, account.account, 'live', pictureSamples(Date.now()))
  await signIn(page, account.key)
  await expect(
    page.getByRole('grid', { name: 'Files' }).getByRole('checkbox', { name: /^Select (?!all)/ }),
  ).toHaveCount(9)
  await expect(page.getByText('9 files · 3 in progress')).toBeVisible()

  await page.keyboard.press('/')
  await page.keyboard.type('lagos')
  await expect(rowOf(page, 'Field interview 07 — Lagos')).toBeVisible()
  await expect(rowOf(page, 'Board meeting — Q3 review')).toBeHidden()
  await expect(page).toHaveURL(/q=lagos/)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: /^Delayed/ }).click()
  await expect(rowOf(page, 'Field interview 07 — Lagos')).toContainText('late · poor audio')
  await expect(rowOf(page, 'Podcast ep. 212 raw')).toBeHidden()
  await page.getByRole('button', { name: /^All/ }).click()

  await page.getByRole('columnheader', { name: 'Length' }).getByRole('button').click()
  await expect(page.getByRole('columnheader', { name: 'Length' })).toHaveAttribute('aria-sort', 'descending')
  await expect(page).toHaveURL(/sort=seconds/)
  const longest = rowOf(page, 'Deposition, J. Okafor v. Meridian')
  await longest.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.keyboard.press('End')
  await expect(rowOf(page, 'Customer call — Nordwind')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByText('2 selected')).toBeHidden()
  await page.keyboard.press('Home')
  await page.keyboard.press('Delete')
  await expect(page.getByRole('dialog')).toContainText('Delete “Deposition, J. Okafor v. Meridian”?')
  await page.keyboard.press('Escape')
  await expect(longest).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/live\/files\/[^/]+$/)
})

test('axe finds nothing at three widths, in both themes', async ({ page, service, sandboxAccount }) => {
  // Ordered today, or the sandbox would remove them in the middle of the test.
  const samples = pictureSamples(Date.now()).map((sample) => ({ ...sample, created_at: Date.now() - 60_000 }))
  await seedFiles(service.dataDir, sandboxAccount.account, 'sandbox', samples)
  await signIn(page, sandboxAccount.key)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 850 })
      await expect(rowOf(page, 'Podcast ep. 212 raw')).toBeAttached()
      await expectNoAxeFindings(page)
    }
  }
  await page.setViewportSize({ width: 1440, height: 850 })
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Go to a file or do something' })).toBeFocused()
  await expectNoAxeFindings(page)
  await page.keyboard.type('lecture')
  await page.keyboard.press('Escape')
  // While it closes, keys are still its own.
  await expect(page.getByRole('combobox', { name: 'Go to a file or do something' })).toBeHidden()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More for Field interview 07 — Lagos' }).click()
  await expect(page.getByRole('menuitem', { name: /Delete/ })).toContainText('refunds $36.18')
  await expectNoAxeFindings(page)
  await page.getByRole('menuitem', { name: 'Receipt' }).click()
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
  await expectNoAxeFindings(page)
})

test('progress is live: moves, gets ready, is announced; formats download by name', async ({
  page,
  service,
  sandboxAccount,
}) => {
  const { id } = await tool(service, sandboxAccount, 'files', { seconds: 90, progress_percent: 20, name: 'Zoë’s talk' })
  await signIn(page, sandboxAccount.key)
  const row = rowOf(page, 'Zoë’s talk')
  await expect(row).toContainText('20 %')
  await expect(row).toContainText(/removed in (23 h \d+ min|24 h)/)
  await expect(page).toHaveTitle(/^\(1\) Files · Sandbox/)
  await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 72 })
  await expect(row).toContainText('72 %')
  await expect(row).toContainText('Cannot be deleted until it is ready')
  await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 100 })
  await expect(row).toContainText('Ready')
  await expect(page.getByRole('status').filter({ hasText: 'Zoë’s talk is ready.' })).toBeAttached()

  await page.getByRole('button', { name: 'More for Zoë’s talk' }).click()
  const srt = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /SRT/ }).click()
  expect((await srt).suggestedFilename()).toBe('Zoë’s talk.srt')
  const again = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download SRT of Zoë’s talk' }).click()
  expect(await readFile(await (await again).path(), 'utf8')).toContain('-->')
})

test('deleting names its refund, is refused from 60, and waits until ready when asked', async ({
  page,
  service,
  sandboxAccount,
}) => {
  const make = (name: string, progress_percent: number) =>
    tool(service, sandboxAccount, 'files', { seconds: 600, progress_percent, name, transcript_type: 'manual' })
  await make('Early', 40)
  const locked = await make('Locked', 80)
  const racing = await make('Racing', 50)
  await setFaults(service, { deleteStatus: { [racing.id]: 409 } })
  await signIn(page, sandboxAccount.key)

  await rowOf(page, 'Early').focus()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('dialog')).toContainText('$7.50 of $12.50 is refunded on the next business day')
  await page.getByRole('button', { name: 'Delete 1 file' }).click()
  await expect(rowOf(page, 'Early')).toBeHidden()
  expect(await service.parley('ledger', sandboxAccount.account)).toContain('"amount_cents":-750')

  await rowOf(page, 'Racing').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Delete 1 file' }).click()
  await expect(page.getByRole('alert')).toContainText('It has passed 60 % in the meantime')
  await page.getByRole('button', { name: 'Close' }).last().click()
  await expect(rowOf(page, 'Racing')).toBeVisible()

  await rowOf(page, 'Locked').focus()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('dialog').last()).toContainText('“Locked” cannot be deleted now')
  await expectNoAxeFindings(page)
  await expect(page.getByRole('button', { name: /^Delete \d/ })).toBeHidden()
  await page.getByRole('button', { name: 'Delete when ready' }).click()
  await expect(rowOf(page, 'Locked')).toContainText('then deleted')
  await tool(service, sandboxAccount, `files/${locked.id}/progress`, { progress_percent: 100 })
  await expect(rowOf(page, 'Locked')).toBeHidden()
})

test('of many files that are deleted each has its result', async ({ page, service, account }) => {
  const samples = ['Fresh', 'Racing', 'Done'].map((name, index) => ({
    name,
    seconds: 600,
    progress_percent: [0, 50, 100][index] ?? 0,
  }))
  const [, racing = ''] = await seedFiles(service.dataDir, account.account, 'live', samples)
  await setFaults(service, { deleteStatus: { [racing]: 409 } })
  await signIn(page, account.key)
  await page.getByRole('checkbox', { name: 'Select all files shown' }).check()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete 3 files' }).click()
  const results = page.getByRole('alert')
  await expect(results).toContainText('2 files were deleted, 1 not:')
  const lines = results.getByRole('listitem')
  await expect(lines.first()).toHaveText(/^RacingIt has passed 60 %/)
  await expect(lines.filter({ hasText: 'Fresh' })).toHaveText(/^FreshDeleted, \$12\.50 refunded$/)
  await expect(lines.filter({ hasText: 'Done' })).toHaveText('DoneDeleted')
  await expectNoAxeFindings(page)
})

test('more than twenty files are deleted only when their number is typed', async ({ page, service, account }) => {
  const samples = Array.from({ length: 21 }, (_, index) => ({ name: `Take ${index + 1}` }))
  await seedFiles(service.dataDir, account.account, 'live', samples)
  await signIn(page, account.key)
  await page.getByRole('checkbox', { name: 'Select all files shown' }).check()
  await page.getByRole('button', { name: 'Delete…' }).click()
  const confirm = page.getByRole('button', { name: 'Delete 21 files' })
  await expect(confirm).toBeDisabled()
  await expectNoAxeFindings(page)
  await page.getByLabel('Type 21 to delete that many files').fill('21')
  await confirm.click()
  await expect(page.getByText('Drop a recording here')).toBeVisible()
})

test('many transcripts come as one ZIP, with a report of what is missing', async ({
  page,
  service,
  sandboxAccount,
}) => {
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }))
  await tool(service, sandboxAccount, 'files', { seconds: 30, progress_percent: 100, name: 'Same name' })
  await tool(service, sandboxAccount, 'files', { seconds: 30, progress_percent: 100, name: 'Same name' })
  const broken = await tool(service, sandboxAccount, 'files', { seconds: 30, progress_percent: 100, name: 'Broken' })
  const busy = await tool(service, sandboxAccount, 'files', { seconds: 30, progress_percent: 100, name: 'Busy' })
  const busyPath = `/sandbox/v1/file/${busy.id}.pdf`
  await setFaults(service, {
    failPaths: { [`/sandbox/v1/file/${broken.id}.pdf`]: 9 },
    slowDownPaths: { [busyPath]: 2 },
  })
  await signIn(page, sandboxAccount.key)
  await page.getByRole('button', { name: 'Download all before it goes' }).click()
  await expectNoAxeFindings(page)
  await page.getByRole('radio', { name: 'PDF' }).check({ force: true })
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save ZIP' }).click()
  const zip = (await readFile(await (await download).path())).toString('latin1')
  for (const name of ['Same name.pdf', 'Same name (2).pdf', 'Busy.pdf', 'Missing files.txt']) {
    expect(zip).toContain(name)
  }
  await expect(page.getByRole('dialog')).toContainText('Saved 3 of 4.')
  await expect(page.getByRole('dialog')).toContainText('Broken: The fault switch answers 500.')
  expect((await counts(service)).waited[busyPath], 'Retry-After is obeyed').toBeGreaterThanOrEqual(2_000)
  await expectNoAxeFindings(page)
})

test('receipts come as CSV, names that a spreadsheet would run stay text', async ({ page, service, account }) => {
  await seedFiles(service.dataDir, account.account, 'live', [
    { name: '=HYPERLINK("x")', seconds: 60 },
    { name: 'Plain, with comma' },
  ])
  await signIn(page, account.key)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Receipts of 2 files/ }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv.split('\r\n')[0]).toBe('\ufeffname,id,created,seconds,cost,discount,total,currency,transaction,refund')
  expect(csv).toContain(`"'=HYPERLINK(""x"")"`)
  expect(csv).toContain('"Plain, with comma"')
})
