import { expect } from '@playwright/test'
import { counts, setFaults, test } from '../../kit/faults.ts'
import { rowOf, storedBytes, tool } from '../../kit/files-page.ts'
import { ignoreErrors } from '../../kit/fixtures.ts'
import { pictureSamples, seedFiles } from '../../kit/seed-files.ts'
import { signIn } from '../../kit/sign-in.ts'

test('against a service with HEADs only each broken row stands alone', { tag: '@slow' }, async ({
  page,
  service,
  account,
}) => {
  // Shows all rows at once: after loading, those with an unknown date come last.
  await page.setViewportSize({ width: 1440, height: 2_000 })
  const names = Array.from({ length: 30 }, (_, index) => ({
    name: `Row ${index + 1}`,
    created_at: Date.now() - index * 60_000,
  }))
  const ids = await seedFiles(service.dataDir, account.account, 'live', names)
  const [missing = '', notJson = '', odd = '', latin = ''] = ids
  // A third of the files fail at first: most once or twice, one so often that the error is shown and it is retried
  // later.
  const failing = ids.filter((_, index) => index % 3 === 1)
  const failPaths = Object.fromEntries(
    failing.map((id, index) => [`/v1/file/${id}`, index === 1 ? 5 : 1 + (index % 2)]),
  )
  const odds = {
    name: 17,
    seconds: 61,
    progress_percent: '100',
    total: '3.5',
    currency: 'XX',
    delay_reason: { code: 4 },
    new_field: [],
  }
  await setFaults(service, {
    noAccount: true,
    slowDownHeads: 3,
    failPaths,
    metadata: {
      [missing]: null,
      [notJson]: '{"name": "half',
      [odd]: JSON.stringify(odds),
      [latin]: Buffer.from(JSON.stringify({ name: 'Zoë spricht', progress_percent: 100 }), 'utf8').toString('latin1'),
    },
  })
  await signIn(page, account.key, { keep: true })
  await expect(page.getByText('The service sent no metadata for this file.')).toBeVisible()
  await expect(page.getByText('The service sent metadata that cannot be read.')).toBeVisible()
  await expect(rowOf(page, '17')).toContainText('1:01')
  await expect(rowOf(page, 'Zoë spricht')).toContainText('Ready')
  for (const name of ['Row 5', 'Row 7']) await expect(rowOf(page, name)).toContainText('Ready')
  await expect(page.getByText('updating every 15 s')).toBeVisible()

  // Finished files are never fetched again: cached ones survive a reload, and only the two broken ones are requested.
  await expect.poll(async () => (await storedBytes(page)).join('').length).toBeGreaterThan(1_000)
  await expect(async () => {
    await setFaults(service, { noAccount: true })
    await page.reload()
    await expect(rowOf(page, 'Row 7')).toContainText('Ready')
    await expect(page.getByText('updating every 15 s')).toBeVisible()
    expect((await counts(service)).heads).toBeLessThan(10)
    // The worker stores what it was sent some seconds later: a reload before that would begin again.
  }).toPass({ intervals: [10_000] })
})

test('cached files stay visible while the service is down, and are encrypted on the device', { tag: '@slow' }, async ({
  page,
  service,
  account,
  loggedErrors,
}) => {
  await seedFiles(service.dataDir, account.account, 'live', pictureSamples(Date.now()))
  await signIn(page, account.key, { keep: true })
  await expect(rowOf(page, 'Panel: cities after cars')).toBeVisible()
  await expect.poll(async () => (await storedBytes(page)).join('').length).toBeGreaterThan(1_000)
  expect((await storedBytes(page)).join('')).not.toContain('cities after cars')

  await setFaults(service, { gone: true })
  await page.reload()
  await expect(rowOf(page, 'Panel: cities after cars')).toBeVisible()
  await expect(page.getByText(/Showing the list as of today/)).toBeVisible()
  await setFaults(service, {})
  await expect(page.getByText(/Showing the list as of/)).toBeHidden({ timeout: 30_000 })
  // The browser logs an error for each aborted connection.
  ignoreErrors(loggedErrors, 'ERR_')
})

test('a revoked key leads to the sign-in page, and a new one back to the same place', async ({
  page,
  service,
  account,
}) => {
  await seedFiles(service.dataDir, account.account, 'live', pictureSamples(Date.now()))
  await signIn(page, account.key, { at: '/live/files?q=panel', keep: true })
  await expect(rowOf(page, 'Panel: cities after cars')).toBeVisible()
  const { key } = JSON.parse(await service.parley('key', 'create', account.account)) as { key: string }
  await service.parley('key', 'revoke', account.key)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in with your API key' })).toBeVisible()
  await signIn(page, key, { at: null })
  await expect(page).toHaveURL(/\/live\/files\?q=panel$/)
  await expect(rowOf(page, 'Panel: cities after cars')).toBeVisible()
})

test('ten thousand files by HEADs, one in a hundred broken: the page works and each broken row says so', async ({
  page,
  service,
  account,
}) => {
  const now = Date.now()
  const samples = Array.from({ length: 10_000 }, (_, index) => ({
    name: `Take ${index + 1}`,
    created_at: now - index * 60_000,
  }))
  const ids = await seedFiles(service.dataDir, account.account, 'live', samples)
  const broken = ids.filter((_, index) => index % 100 === 3 || index % 100 === 97)
  const forms = [null, '{"name": "half', '[]', '\xff\xfe']
  const metadata = Object.fromEntries(broken.map((id, index) => [id, forms[index % forms.length] ?? null]))
  await setFaults(service, { noAccount: true, metadata })
  await signIn(page, account.key)
  await expect(rowOf(page, 'Take 1')).toContainText('Ready')
  await expect(page.getByText(/^10,000 files.* of 10,000 loaded$/)).toBeVisible()
  await expect(rowOf(page, `File ${ids[3]}`)).toContainText('The service sent no metadata for this file.')

  // Visible rows load first, at any scroll position.
  await rowOf(page, 'Take 1').focus()
  await page.keyboard.press('End')
  await expect(rowOf(page, 'Take 10000')).toContainText('Ready')
  await expect(rowOf(page, `File ${ids[9_997]}`)).toContainText(/The service sent metadata/)
  const retry = rowOf(page, `File ${ids[9_997]}`).getByRole('button', { name: 'Retry' })
  await setFaults(service, { noAccount: true })
  await retry.click()
  await expect(rowOf(page, 'Take 9998')).toContainText('Ready')
})

test('one tab holds the event stream for all, and another takes over when it closes', async ({
  page,
  context,
  service,
  sandboxAccount,
}) => {
  const { id } = await tool(service, sandboxAccount, 'files', {
    seconds: 90,
    progress_percent: 20,
    name: 'Handed over',
  })
  await setFaults(service, {})
  await signIn(page, sandboxAccount.key)
  await expect(rowOf(page, 'Handed over')).toContainText('20%')
  await expect.poll(async () => (await counts(service)).streams).toBe(1)
  const other = await context.newPage()
  await signIn(other, sandboxAccount.key)
  await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 30 })
  await expect(rowOf(page, 'Handed over')).toContainText('30%')
  await expect(rowOf(other, 'Handed over')).toContainText('30%')
  expect((await counts(service)).streams).toBe(1)

  await page.close()
  await expect.poll(async () => (await counts(service)).streams).toBe(2)
  await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 45 })
  await expect(rowOf(other, 'Handed over')).toContainText('45%')
})

test('if the service cannot delete when ready, an open browser does', async ({ page, service, sandboxAccount }) => {
  const { id } = await tool(service, sandboxAccount, 'files', { seconds: 90, progress_percent: 80, name: 'Not yet' })
  await setFaults(service, { noAccount: true })
  await signIn(page, sandboxAccount.key)
  await rowOf(page, 'Not yet').focus()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('dialog')).toContainText(
    'This tab can delete it as soon as it is ready. Keep it open until then.',
  )
  await page.getByRole('button', { name: 'Delete when ready' }).click()
  await expect(rowOf(page, 'Not yet')).toContainText('then deleted')
  await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 100 })
  // It polls every 15 s, and immediately when the connection is restored.
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(page.getByText('“Not yet” became ready and was deleted, as you asked.')).toBeVisible()
  await expect(page.getByText('Drop a recording here')).toBeVisible()
})

test('without live events a tab polls every 15 s, and each minute while it is hidden', async ({
  page,
  service,
  account,
}) => {
  await seedFiles(service.dataDir, account.account, 'live', [{ name: 'Slow', progress_percent: 10 }])
  await setFaults(service, { noAccount: true })
  await page.clock.install()
  await signIn(page, account.key)
  await expect(page.getByText('updating every 15 s')).toBeVisible()
  const lists = async () => (await counts(service)).lists
  const hide = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)

  const shown = await lists()
  await page.clock.fastForward(16_000)
  await expect.poll(lists).toBe(shown + 1)

  await hide(true)
  // Timers set before it was hidden fire first.
  await page.clock.fastForward(16_000)
  await expect.poll(lists).toBe(shown + 2)
  await page.clock.fastForward(45_000)
  // Requests made by the page before this one have reached the service once it is answered.
  await page.evaluate(async () => (await fetch('/healthz')).text())
  expect(await lists(), 'hidden, it does not look after 15 s').toBe(shown + 2)
  await page.clock.fastForward(16_000)
  await expect.poll(lists).toBe(shown + 3)

  await hide(false)
  await expect.poll(lists, 'shown again, it looks at once').toBe(shown + 4)
})

test('words of transcripts, which earlier pages stored to search them, are removed from the browser', async ({
  page,
  account,
}) => {
  const hasWords = () =>
    page.evaluate(async () => (await indexedDB.databases()).some(({ name }) => name === 'parley-words'))
  await page.goto('/favicon.svg')
  await page.evaluate(async () => {
    const open = indexedDB.open('parley-words', 2)
    open.addEventListener('upgradeneeded', () => open.result.createObjectStore('sealed').put('sealed words', 'file'))
    await new Promise((resolve) => open.addEventListener('success', resolve))
    open.result.close()
  })
  expect(await hasWords()).toBe(true)
  await signIn(page, account.key)
  await expect.poll(hasWords).toBe(false)
})

test('a delay that is reported while its new file is read shows', async ({ page, service, sandboxAccount }) => {
  const { id: known } = await tool(service, sandboxAccount, 'files', {
    seconds: 30,
    progress_percent: 10,
    name: 'Known',
  })
  await signIn(page, sandboxAccount.key)
  await expect(rowOf(page, 'Known')).toContainText('10%')
  // Answers as of its request, once the delay has been reported.
  const [asked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(
    /files\?.*since=/,
    async (route) => {
      const response = await route.fetch()
      asked.resolve()
      await answers.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  const { id } = await tool(service, sandboxAccount, 'files', { seconds: 30, progress_percent: 0, name: 'New' })
  await asked.promise
  await tool(service, sandboxAccount, `files/${id}/delay`, { delay_reason: 'Bad sound' })
  // Events arrive in order.
  await tool(service, sandboxAccount, `files/${known}/progress`, { progress_percent: 40 })
  await expect(rowOf(page, 'Known')).toContainText('40%')
  answers.resolve()
  await expect(rowOf(page, 'New')).toContainText('delayed · Bad sound')
})
