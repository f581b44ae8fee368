import { expect, type Page } from '@playwright/test'
import { setFaults, test } from './faults.ts'
import { rowOf, storedBytes } from './files-page.ts'
import { expectNoAxeFindings, ignoreErrors } from './fixtures.ts'
import { pictureSamples, seedFiles } from './seed-files.ts'
import type { NewAccount } from './service-process.ts'

type Drawn = { markup: string; words: string; left: number; top: number; width: number; height: number }

/** Every element of the rows and every link around them on screen: what it is and says, and where. */
async function drawn(page: Page): Promise<Drawn[]> {
  return await page.evaluate(() => {
    const parts = document.querySelectorAll<HTMLElement>('nav a, [role="row"], [role="row"] *')
    return Array.from(parts, (part) => {
      const { left, top, width, height } = part.getBoundingClientRect()
      // The row in use is reached by Tab, of which the first sight knows nothing.
      const attributes = Array.from(part.attributes, ({ name, value }) => `${name}=${value}`)
        .filter((one) => !one.startsWith('tabindex='))
        .sort()
      // Links of the frame are the router's on the page.
      const markup = part.closest('nav') ? part.localName : [part.localName, ...attributes].join(' ')
      return { markup, words: part.textContent ?? '', left, top, width, height }
    }).filter(({ top }) => top < window.innerHeight)
  })
}

/** Holds back the page's own code. @returns lets it come */
async function holdCode(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/base-*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

async function openFiles(page: Page, { account, key }: NewAccount, environment = 'live'): Promise<void> {
  await page.addInitScript(
    ([name = '', value = '']) => {
      if (sessionStorage.getItem(name) === null) sessionStorage.setItem(name, value)
    },
    [`parley.session.${environment}`, `${account}\n${key}`],
  )
  await page.goto(`/${environment}/files`)
}

/** Opens the list with the page's code held back, lets it come, and finds the rows as they stood, to the pixel. */
async function expectRowsToStay(page: Page, account: NewAccount, environment = 'live'): Promise<void> {
  // Times that are left go on by themselves.
  await page.clock.setFixedTime(Date.now())
  const release = await holdCode(page)
  await openFiles(page, account, environment)
  const first = page.locator('#first-sight')
  await expect(first.getByText('Podcast ep. 212 raw')).toBeVisible()
  await expectNoAxeFindings(page)
  const before = await drawn(page)
  expect(before.length).toBeGreaterThan(100)

  // Seen again as soon as the page stands: its first rendering is what must not jump.
  await page.evaluate(() => {
    const root = document.getElementById('root') as HTMLElement
    const seen = new Promise<void>((resolve) => {
      new MutationObserver(() => {
        if (root.querySelector('main [role="row"]')) resolve()
      }).observe(root, { childList: true, subtree: true })
    })
    Object.assign(window, { seen })
  })
  release()
  await page.evaluate(() => (window as unknown as { seen: Promise<void> }).seen)
  const after = await drawn(page)
  const wordsOf = (all: Drawn[]) => all.slice(0, before.length).map(({ markup, words }) => ({ markup, words }))
  expect(wordsOf(after)).toEqual(wordsOf(before))
  for (const [index, was] of before.entries()) {
    const { left, top, width, height } = after[index] as Drawn
    expect([left, top, width, height].map(Math.round), was.words).toEqual(
      [was.left, was.top, was.width, was.height].map(Math.round),
    )
  }
  await expect(first).toBeHidden()
  await expect(rowOf(page, 'Podcast ep. 212 raw')).toBeVisible()
}

const screens = [
  { width: 1440, height: 900, kind: 'HEADs' },
  { width: 1024, height: 768, kind: 'pages' },
  { width: 390, height: 844, kind: 'HEADs' },
  { width: 390, height: 844, kind: 'pages' },
] as const

for (const { width, height, kind } of screens) {
  test(`by ${kind} at ${width} the first rows stand before the page's code, where they stay`, async ({
    page,
    service,
    account,
  }) => {
    await page.setViewportSize({ width, height })
    const long = Array.from({ length: 300 }, (_, index) => ({
      name: `Older ${index + 1}`,
      created_at: Date.now() - (60 + index) * 86_400_000,
    }))
    await seedFiles(service.dataDir, account.account, 'live', [...pictureSamples(Date.now()), ...long])
    await setFaults(service, { noAccount: kind === 'HEADs' })
    await expectRowsToStay(page, account)
  })
}

test('the first rows have the columns, density, clock and theme of this device, in the sandbox too', async ({
  page,
  service,
  sandboxAccount,
}) => {
  const today = pictureSamples(Date.now()).map((sample, index) => ({
    ...sample,
    created_at: Date.now() - index * 60_000,
  }))
  await seedFiles(service.dataDir, sandboxAccount.account, 'sandbox', today)
  await page.addInitScript(() => {
    const preferences = { theme: 'dark', density: 'compact', clock: '12', dateLanguage: 'de' }
    localStorage.setItem('parley.preferences', JSON.stringify(preferences))
    localStorage.setItem('parley.format', 'srt')
    localStorage.setItem('parley.files.columns', JSON.stringify({ visible: ['bytes', 'due'], widths: { due: 140 } }))
  })
  await expectRowsToStay(page, sandboxAccount, 'sandbox')
  await expect(page.getByRole('button', { name: /^Download SRT of/ }).first()).toBeVisible()
  expect((await rowOf(page, 'Podcast ep. 212 raw').boundingBox())?.height).toBe(40)
})

test('on a return visit new files are there at once, with those that were stored', async ({
  page,
  service,
  account,
}) => {
  const at = Date.now() - 3_600_000
  const older = Array.from({ length: 50 }, (_, index) => ({
    name: `Kept ${index + 1}`,
    created_at: at - index * 60_000,
  }))
  await seedFiles(service.dataDir, account.account, 'live', older)
  await openFiles(page, account)
  await expect(page.getByText(/^50 files · .* of recordings$/)).toBeVisible()
  await expect.poll(async () => (await storedBytes(page, 'parley-files')).join('').length).toBeGreaterThan(1_000)

  await seedFiles(service.dataDir, account.account, 'live', [
    { name: 'Came meanwhile', created_at: Date.now() - 60_000 },
  ])
  // The answer with what changed is late, so that what stands until then is seen.
  await page.route('**/account/files?since=*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await route.continue()
  })
  const release = await holdCode(page)
  await page.reload()
  await expect(page.locator('#first-sight').getByText('Came meanwhile')).toBeVisible()
  // Checked in every frame from here on: the row must never be missing.
  await page.evaluate(() => {
    const missed: string[] = []
    Object.assign(window, { missed })
    const look = () => {
      const names = Array.from(document.querySelectorAll('[role="row"] a'), (link) => link.textContent ?? '')
      if (names[0] !== 'Came meanwhile' || names[1] !== 'Kept 1') missed.push(names.slice(0, 2).join(', '))
      requestAnimationFrame(look)
    }
    look()
  })
  release()
  await expect(rowOf(page, 'Came meanwhile')).toBeVisible()
  await expect(page.getByText(/^51 files · .* of recordings$/)).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { missed: string[] }).missed)).toEqual([])
})

test('a press on a first row is not lost, and its links lead on', async ({ page, service, account }) => {
  await seedFiles(service.dataDir, account.account, 'live', pictureSamples(Date.now()))
  const first = page.locator('#first-sight')
  let release = await holdCode(page)
  await openFiles(page, account)
  await first.locator('[aria-label="Select Customer call — Nordwind"]').click()
  release()
  await expect(page.getByRole('checkbox', { name: 'Select Customer call — Nordwind' })).toBeChecked()
  await expect(page.getByText('1 selected')).toBeVisible()

  await page.unrouteAll()
  release = await holdCode(page)
  await page.reload()
  await first.locator('[aria-label="More for Customer call — Nordwind"]').click()
  release()
  await expect(page.getByRole('menuitem', { name: 'PDF' })).toBeVisible()

  await page.unrouteAll()
  release = await holdCode(page)
  await page.reload()
  await first.getByText('Customer call — Nordwind').click()
  await expect(page).toHaveURL(/\/live\/files\/[0-9a-f]+$/)
  release()
  await expect(page.getByRole('heading', { name: 'Customer call — Nordwind' })).toBeVisible()
})

test('where the code of the page does not load, the first rows stay and a message says so', async ({
  page,
  service,
  account,
  loggedErrors,
}) => {
  await seedFiles(service.dataDir, account.account, 'live', pictureSamples(Date.now()))
  await page.route('**/assets/base-*.js', (route) => route.abort())
  await openFiles(page, account)
  await expect(page.getByRole('alert')).toContainText('could not be loaded')
  await expect(page.locator('#first-sight').getByText('Podcast ep. 212 raw')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('link', { name: 'Load again' }).click()
  await expect(rowOf(page, 'Podcast ep. 212 raw')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  // The browser logs the chunk that it could not fetch.
  ignoreErrors(loggedErrors, 'ERR_FAILED')
})
