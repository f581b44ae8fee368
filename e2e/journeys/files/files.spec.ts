import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { counts, setFaults, test } from '../../kit/faults.ts'
import { rowOf, tool } from '../../kit/files-page.ts'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import { pictureSamples, seedFiles } from '../../kit/seed-files.ts'
import { signIn, submitKey } from '../../kit/sign-in.ts'

const lagos = 'Field interview 07 — Lagos'
const deposition = 'Deposition, J. Okafor v. Meridian'

test('a wrong key is reported at its field, a live key selects its environment, and the device stores no key', async ({
  page,
  account,
}) => {
  await page.goto('/sign-in')
  const field = page.getByLabel('API key', { exact: true })
  await submitKey(page, 'not-a-key')
  await expect(page.getByText('This key is not valid. Is it complete?')).toBeVisible()
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

test.describe('a list of nine files', () => {
  test.beforeEach(async ({ page, service, account }) => {
    await seedFiles(service.dataDir, account.account, 'live', pictureSamples(Date.now()))
    await signIn(page, account.key)
    await expect(page.getByText('9 files · 3 in progress')).toBeVisible()
  })

  test('a file is found by part of its name, and the address keeps the search', async ({ page }) => {
    await expect(
      page.getByRole('grid', { name: 'Files' }).getByRole('checkbox', { name: /^Select (?!all)/ }),
    ).toHaveCount(9)
    await page.keyboard.press('/')
    await page.keyboard.type('lagos')
    await expect(rowOf(page, lagos)).toBeVisible()
    await expect(rowOf(page, 'Board meeting — Q3 review')).toBeHidden()
    await expect(page).toHaveURL(/q=lagos/)
    await page.keyboard.press('ArrowDown')
    await expect(rowOf(page, lagos)).toBeFocused()
  })

  test('the list filters delayed files, with the reason', async ({ page }) => {
    await page.getByRole('button', { name: /^Delayed/ }).click()
    await expect(rowOf(page, lagos)).toContainText('delayed · poor audio')
    await expect(rowOf(page, 'Podcast ep. 212 raw')).toBeHidden()
    await page.getByRole('button', { name: /^All/ }).click()
    await expect(rowOf(page, 'Podcast ep. 212 raw')).toBeVisible()
  })

  test('the list sorts longest first, and the URL keeps the order', async ({ page }) => {
    await page.getByRole('columnheader', { name: 'Length' }).getByRole('button').click()
    await expect(page.getByRole('columnheader', { name: 'Length' })).toHaveAttribute('aria-sort', 'descending')
    await expect(page).toHaveURL(/sort=seconds/)
    await rowOf(page, deposition).focus()
    await page.keyboard.press('End')
    await expect(rowOf(page, 'Customer call — Nordwind')).toBeFocused()
  })

  test('files are reached and chosen by the keyboard alone, and the choice is dropped by Escape', async ({ page }) => {
    await page.getByRole('link', { name: 'Skip to content' }).focus()
    for (const key of ['Enter', 'Tab', 'Enter']) await page.keyboard.press(key)
    // After the headings and the first day.
    await expect(page.getByRole('grid', { name: 'Files' }).locator('[aria-rowindex="3"]')).toBeFocused()
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await expect(page.getByText('2 selected')).toBeVisible()
    await page.keyboard.press('End')
    await page.keyboard.press('Escape')
    await expect(page.getByText('2 selected')).toBeHidden()
  })

  test('a file is opened by the keyboard, and deleting it is asked first', async ({ page }) => {
    await rowOf(page, deposition).focus()
    await page.keyboard.press('Delete')
    await expect(page.getByRole('dialog')).toContainText(`Delete “${deposition}”?`)
    await page.keyboard.press('Escape')
    await expect(rowOf(page, deposition)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/live\/files\/[^/]+$/)
  })

  test('the palette loses no input while its code is loading', async ({ page }) => {
    const asked = Promise.withResolvers<void>()
    const typed = Promise.withResolvers<void>()
    await page.route(/command-palette/, async (route) => {
      asked.resolve()
      await typed.promise
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await asked.promise
    await page.keyboard.type('jlecture')
    typed.resolve()
    await expect(page.getByRole('combobox', { name: 'Go to a file or run a command' })).toHaveValue('jlecture')
  })
})

test.describe('axe finds nothing', () => {
  test.beforeEach(async ({ page, service, sandboxAccount }) => {
    // Ordered today; otherwise the sandbox would remove them in the middle of the test.
    const samples = pictureSamples(Date.now()).map((sample) => ({ ...sample, created_at: Date.now() - 60_000 }))
    await seedFiles(service.dataDir, sandboxAccount.account, 'sandbox', samples)
    await signIn(page, sandboxAccount.key)
    await expect(rowOf(page, lagos)).toBeVisible()
  })

  for (const width of [1440, 1024, 390]) {
    test(`at ${width}, in both themes`, async ({ page }) => {
      await page.setViewportSize({ width, height: 850 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await expect(rowOf(page, 'Podcast ep. 212 raw')).toBeAttached()
        await expectNoAxeFindings(page)
      }
    })
  }

  test('in the palette and the list of keys', async ({ page }) => {
    const palette = page.getByRole('combobox', { name: 'Go to a file or run a command' })
    await page.keyboard.press('Control+k')
    await expect(palette).toBeFocused()
    await expectNoAxeFindings(page)
    await page.keyboard.type('lecture')
    await page.keyboard.press('Escape')
    // While it closes, it still captures keys.
    await expect(palette).toBeHidden()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await expectNoAxeFindings(page)
  })

  test('in the menu of a row, which names its refund, and on the receipt', async ({ page }) => {
    await page.getByRole('button', { name: `More for ${lagos}` }).click()
    await expect(page.getByRole('menuitem', { name: /Delete/ })).toContainText('refunds $36.18')
    await expectNoAxeFindings(page)
    await page.getByRole('menuitem', { name: 'Receipt' }).click()
    await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
    await expectNoAxeFindings(page)
  })
})

test('progress is live: it moves, gets ready and is announced', async ({ page, service, sandboxAccount }) => {
  const { id } = await tool(service, sandboxAccount, 'files', { seconds: 90, progress_percent: 20, name: 'Zoë’s talk' })
  await signIn(page, sandboxAccount.key)
  const row = rowOf(page, 'Zoë’s talk')
  await expect(row).toContainText('20%')
  await expect(row).toContainText(/removed in (23 h \d+ min|24 h)/)
  await expect(page).toHaveTitle(/^\(1\) Files · Sandbox/)
  await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 72 })
  await expect(row).toContainText('72%')
  await expect(row).toContainText('Cannot be deleted until it is ready')
  await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 100 })
  await expect(row).toContainText('Ready')
  await expect(page.getByRole('status').filter({ hasText: 'Zoë’s talk is ready.' })).toBeAttached()
})

test('a transcript is downloaded under its name, and the format that was chosen stays the one of the rows', async ({
  page,
  service,
  sandboxAccount,
}) => {
  await tool(service, sandboxAccount, 'files', { seconds: 90, progress_percent: 100, name: 'Zoë’s talk' })
  await signIn(page, sandboxAccount.key)
  await page.getByRole('button', { name: 'Formats of Zoë’s talk' }).click()
  const srt = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /SRT/ }).click()
  expect((await srt).suggestedFilename()).toBe('Zoë’s talk.srt')
  const again = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download SRT of Zoë’s talk' }).click()
  expect(await readFile(await (await again).path(), 'utf8')).toContain('-->')
})

test('many transcripts come as one ZIP, with a report of what is missing', { tag: '@slow' }, async ({
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
  await page.getByRole('button', { name: 'Download all before they are removed' }).click()
  await expectNoAxeFindings(page)
  await page.getByRole('combobox', { name: 'Format' }).selectOption('pdf')
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

test('receipts download as CSV, and names that look like formulas stay text', async ({ page, service, account }) => {
  await seedFiles(service.dataDir, account.account, 'live', [
    { name: '=HYPERLINK("x")', seconds: 60 },
    { name: 'Plain, with comma' },
  ])
  await signIn(page, account.key)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Receipts of 2 files/ }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv.split('\r\n')[0]).toBe(
    '\ufeffname,id,created,seconds,cost,discount,total,currency,transaction,refund,date',
  )
  expect(csv).toContain(`"'=HYPERLINK(""x"")"`)
  expect(csv).toContain('"Plain, with comma"')
})
