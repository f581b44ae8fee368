import { expect, type Page } from '@playwright/test'
import { setFaults, test } from '../../kit/faults.ts'
import { rowOf, storedBytes } from '../../kit/files-page.ts'
import { ignoreErrors } from '../../kit/fixtures.ts'
import { pictureSamples, seedFiles } from '../../kit/seed-files.ts'
import type { NewAccount } from '../../kit/service-process.ts'
import { sessionOf, storeSession } from '../../kit/stored-session.ts'

/** Opens a URL in a signed-in tab. */
async function open(page: Page, account: NewAccount, path: string): Promise<void> {
  await storeSession(page, sessionOf(account))
  await page.goto(path)
}

/** Blocks the page's own code. @returns a function that releases it */
async function holdCode(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/base-*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Records requests to the service's interfaces, as `GET /v1/files`. */
function noteRequests(page: Page): string[] {
  const asked: string[] = []
  page.context().on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (/^\/(v1|account)\//.test(pathname)) asked.push(`${request.method()} ${pathname}${search}`)
  })
  return asked
}

for (const kind of ['pages', 'HEADs'] as const) {
  test(`by ${kind} the newest files are asked for before the page's code is here`, async ({
    page,
    service,
    account,
  }) => {
    await seedFiles(service.dataDir, account.account, 'live', pictureSamples(Date.now()))
    await setFaults(service, { noAccount: kind === 'HEADs' })
    const asked = noteRequests(page)
    const release = await holdCode(page)
    await open(page, account, '/live/files')
    const wanted = kind === 'pages' ? /^GET \/account\/files\?limit=/ : /^HEAD \/v1\/file\//
    await expect.poll(() => asked.some((one) => wanted.test(one))).toBe(true)
    release()
    await expect(rowOf(page, 'Podcast ep. 212 raw')).toBeVisible()
    // The page reuses the early requests, and repeats none of them.
    expect(asked.filter((one, index) => asked.indexOf(one) !== index)).toEqual([])
  })
}

test("all that a transcript shows is asked for before the page's code is here, and once", async ({
  page,
  service,
  account,
}) => {
  const [id = ''] = await seedFiles(service.dataDir, account.account, 'live', [
    { name: 'Harbour talk', progress_percent: 100 },
  ])
  const asked = noteRequests(page)
  const release = await holdCode(page)
  await open(page, account, `/live/files/${id}`)
  const wanted = [
    `GET /account/files/${id}`,
    `GET /v1/file/${id}.json`,
    `GET /account/files/${id}/peaks`,
    `POST /account/files/${id}/playback`,
    'GET /account/',
  ]
  await expect.poll(() => wanted.filter((one) => !asked.includes(one))).toEqual([])
  release()
  await expect(page.getByRole('heading', { name: 'Harbour talk' })).toBeVisible()
  // A missing recording is requested once more.
  for (const one of wanted.filter((other) => !other.startsWith('POST')))
    expect(asked.filter((other) => other === one)).toHaveLength(1)
})

test('on a return visit new files appear at once, with the cached ones', async ({ page, service, account }) => {
  const at = Date.now() - 3_600_000
  const older = Array.from({ length: 50 }, (_, index) => ({
    name: `Kept ${index + 1}`,
    created_at: at - index * 60_000,
  }))
  await seedFiles(service.dataDir, account.account, 'live', older)
  await open(page, account, '/live/files')
  await expect(page.getByText(/^50 files · .* of recordings$/)).toBeVisible()
  await expect.poll(async () => (await storedBytes(page)).join('').length).toBeGreaterThan(1_000)

  await seedFiles(service.dataDir, account.account, 'live', [
    { name: 'Came meanwhile', created_at: Date.now() - 60_000 },
  ])
  // Delays the response with changes, so that the cached state is visible until then.
  await page.route('**/account/files?since=*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await route.continue()
  })
  // Checks every frame from the first row on: it must never be missing.
  await page.addInitScript(() => {
    const missed: string[] = []
    Object.assign(window, { missed })
    const look = () => {
      const names = Array.from(document.querySelectorAll('[role="row"] a'), (link) => link.textContent ?? '')
      if (names.length > 0 && names[0] !== 'Came meanwhile') missed.push(names.slice(0, 2).join(', '))
      requestAnimationFrame(look)
    }
    look()
  })
  await page.reload()
  await expect(rowOf(page, 'Came meanwhile')).toBeVisible()
  await expect(page.getByText(/^51 files · .* of recordings$/)).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { missed: string[] }).missed)).toEqual([])
})

test('if the code of the page does not load, a message says so until it does', async ({
  page,
  service,
  account,
  loggedErrors,
}) => {
  await seedFiles(service.dataDir, account.account, 'live', pictureSamples(Date.now()))
  await page.route('**/assets/base-*.js', (route) => route.abort())
  await open(page, account, '/live/files')
  await expect(page.getByRole('alert')).toContainText('could not be loaded')
  await expect(page.getByRole('link', { name: 'Reload' })).toBeVisible()
  // Once the service has it again, it comes by itself.
  await page.unrouteAll()
  await expect(rowOf(page, 'Podcast ep. 212 raw')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  // The browser logs the chunk that failed to load.
  ignoreErrors(loggedErrors, 'ERR_FAILED')
})
