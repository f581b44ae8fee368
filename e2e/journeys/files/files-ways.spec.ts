import { type Download, expect, type Page } from '@playwright/test'
import { test } from '../../kit/faults.ts'
import { rowOf, tool } from '../../kit/files-page.ts'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import { pictureSamples, seedFiles } from '../../kit/seed-files.ts'
import { signIn } from '../../kit/sign-in.ts'

const podcast = 'Podcast ep. 212 raw'
const lecture = 'Lecture 3: Kepler and the ellipse'

async function downloadOf(page: Page, press: () => Promise<void>): Promise<Download> {
  const download = page.waitForEvent('download')
  await press()
  return await download
}

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const) {
  test.describe(`at ${width}`, () => {
    test.use({ viewport: { width, height } })
    test.beforeEach(async ({ page, service, account }) => {
      await seedFiles(service.dataDir, account.account, 'live', pictureSamples(Date.now()))
      await signIn(page, account.key)
      await expect(rowOf(page, podcast)).toContainText('31%')
    })

    test('a file is chosen, downloaded early, nearly deleted and opened by mouse', async ({ page }) => {
      const row = rowOf(page, podcast)
      await row.getByRole('checkbox').check()
      await expect(page.getByRole('region', { name: 'Selected files' })).toContainText('1 selected')
      await page.getByRole('button', { name: 'Clear selection' }).click()
      const early = await downloadOf(page, () =>
        page.getByRole('button', { name: `Download work-in-progress TXT of ${podcast}` }).click(),
      )
      expect(early.suggestedFilename()).toContain('.txt')
      await expect(page.getByText('this is the work-in-progress text')).toBeVisible()
      await page.getByRole('button', { name: `More for ${podcast}` }).click()
      await page.getByRole('menuitem', { name: /Delete/ }).click()
      const deleting = page.getByRole('dialog', { name: /^Delete/ })
      await expect(deleting).toContainText('This cannot be undone.')
      await expectNoAxeFindings(page)
      await deleting.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('link', { name: podcast }).click()
      await expect(page).toHaveURL(/\/live\/files\/[0-9a-f]+$/)
      await page.goBack()
      await expect(row).toBeVisible()
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    })

    test('all files are chosen, their archive is asked for, and one is opened by keyboard', async ({ page }) => {
      const row = rowOf(page, podcast)
      await row.focus()
      await page.keyboard.press('ArrowDown')
      await expect(row).not.toBeFocused()
      await page.keyboard.press('Home')
      await page.keyboard.press('Space')
      await page.keyboard.press('Shift+End')
      await expect(page.getByRole('region', { name: 'Selected files' })).toContainText('9 selected')
      await page.getByRole('button', { name: 'Download all as ZIP' }).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog', { name: /^Download/ })).toContainText('3 files are not ready')
      await expectNoAxeFindings(page)
      await page.keyboard.press('Escape')
      await rowOf(page, lecture).focus()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/live\/files\/[0-9a-f]+$/)
    })
  })
}

test('widths and columns stay as they were left', async ({ page, service, account }) => {
  await seedFiles(service.dataDir, account.account, 'live', pictureSamples(Date.now()))
  await signIn(page, account.key, { keep: true })
  const edge = (column: string) => page.getByRole('separator', { name: `Width of ${column}` })
  const header = (column: string) => page.getByRole('columnheader', { name: column })
  await edge('Order').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(edge('Order')).toHaveAttribute('aria-valuenow', '184')
  const box = await edge('Length').boundingBox()
  if (box === null) throw new Error('The edge of Length has no place.')
  await page.mouse.move(box.x + box.width / 2, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 - 40, box.y + 10, { steps: 4 })
  await page.mouse.up()
  await expect(edge('Length')).toHaveAttribute('aria-valuenow', '126')

  await page.getByRole('button', { name: 'Columns and notifications' }).click()
  await page.getByRole('checkbox', { name: 'Size' }).click()
  await page.getByRole('checkbox', { name: 'Total' }).click()
  await page.keyboard.press('Escape')
  await expect(header('Size')).toBeVisible()
  await page.reload()
  await expect(header('Size')).toBeVisible()
  await expect(header('Total')).toHaveCount(0)
  await expect(edge('Order')).toHaveAttribute('aria-valuenow', '184')
  await expect(edge('Length')).toHaveAttribute('aria-valuenow', '126')
  await expect.poll(async () => (await header('Length').boundingBox())?.width).toBe(126)
})

test('days head the list, and the address keeps filters of type and date', async ({ page, service, account }) => {
  const now = Date.now()
  await seedFiles(service.dataDir, account.account, 'live', pictureSamples(now))
  await signIn(page, account.key, { keep: true })
  await expect(page.getByRole('gridcell', { name: 'Today', exact: true })).toBeVisible()
  await expect(page.getByRole('gridcell', { name: 'Yesterday', exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('dialog').getByText('Automated', { exact: true }).click()
  const daysAgo = (days: number) => new Date(now - days * 86_400_000).toLocaleDateString('sv-SE')
  await page.getByLabel('Ordered from').fill(daysAgo(6))
  await page.getByLabel('to', { exact: true }).fill(daysAgo(4))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Filtered' })).toBeVisible()
  await expect(page).toHaveURL(/type=automated&from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/)
  await page.reload()
  await expect(page.getByRole('grid', { name: 'Files' }).getByRole('link')).toHaveText([
    lecture,
    'captions',
    'Customer call — Nordwind',
  ])
})

test('a receipt is printable', async ({ page, service, account }) => {
  await page.addInitScript(() => Object.assign(window, { print: () => document.body.setAttribute('data-printed', '') }))
  await seedFiles(service.dataDir, account.account, 'live', pictureSamples(Date.now()))
  await signIn(page, account.key)
  await page.getByRole('button', { name: `More for ${lecture}` }).click()
  await page.getByRole('menuitem', { name: 'Receipt' }).click()
  await page.getByRole('button', { name: 'Print' }).click()
  await expect(page.locator('body')).toHaveAttribute('data-printed', '')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('article')).toContainText(lecture)
  await expect(page.getByRole('article')).toContainText(`(${account.account})`)
  await expect(page.getByRole('article')).toContainText(/Receipt numbertx\w+FromParley · /)
  await expect(page.getByRole('article')).toContainText('Total, USD$5.28')
  for (const chrome of [
    page.getByRole('navigation', { name: 'Pages' }),
    page.getByRole('button', { name: 'Print' }),
    page.getByRole('link', { name: 'Files' }),
  ]) {
    await expect(chrome).toBeHidden()
  }
})

test('an archive is streamed to the file that was chosen', async ({ page, service, sandboxAccount }) => {
  // The page's origin-private file system substitutes for the disk: its handles are of the same kind.
  await page.addInitScript(() =>
    Object.assign(window, {
      showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) => {
        const folder = await navigator.storage.getDirectory()
        document.body.dataset.saved = suggestedName
        return await folder.getFileHandle(suggestedName, { create: true })
      },
    }),
  )
  for (const name of ['One', 'Two']) {
    await tool(service, sandboxAccount, 'files', { seconds: 30, progress_percent: 100, name })
  }
  await signIn(page, sandboxAccount.key)
  await page.getByRole('button', { name: 'Download all before they are removed' }).click()
  await page.getByRole('combobox', { name: 'Format' }).selectOption('odt')
  await page.getByRole('button', { name: 'Save ZIP' }).click()
  await expect(page.getByRole('dialog')).toContainText('Saved 2 of 2.')
  const saved = await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory()
    const file = await (await folder.getFileHandle(document.body.dataset.saved ?? '')).getFile()
    return new TextDecoder('latin1').decode(await file.arrayBuffer())
  })
  expect(saved.slice(0, 4)).toBe('PK\u0003\u0004')
  for (const name of ['One.odt', 'Two.odt']) expect(saved).toContain(name)
})

test('a file that gets ready flashes, is counted in the title and the icon, and is notified', async ({
  page,
  context,
  service,
  sandboxAccount,
}) => {
  await context.grantPermissions(['notifications'])
  await page.addInitScript(() => {
    const told: string[] = []
    Object.assign(window, {
      told,
      Notification: class extends EventTarget {
        static readonly permission = 'granted'
        static requestPermission(): Promise<string> {
          return Promise.resolve('granted')
        }
        close = () => {}
        constructor(title: string) {
          super()
          told.push(title)
        }
      },
    })
  })
  const { id } = await tool(service, sandboxAccount, 'files', { seconds: 90, progress_percent: 20, name: 'Zoë’s talk' })
  await signIn(page, sandboxAccount.key)
  const icon = page.locator('link[rel="icon"]')
  await expect(page).toHaveTitle(/^\(1\) Files/)
  await expect(icon).toHaveAttribute('href', /^data:image\/svg.*%3E1%3C/)
  await page.getByRole('button', { name: 'Columns and notifications' }).click()
  await page.getByRole('checkbox', { name: 'Notify me when a file is ready' }).click()
  await page.keyboard.press('Escape')
  await page.evaluate(() => {
    // The page is hidden; and records flashes, even if they end before the test looks.
    Object.defineProperty(document, 'hidden', { value: true })
    const grid = document.querySelector('[role="grid"]') as HTMLElement
    new MutationObserver(() => {
      if (grid.querySelector('[data-ready-now="true"]')) grid.setAttribute('data-flashed', '')
    }).observe(grid, { subtree: true, attributeFilter: ['data-ready-now'] })
  })
  await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 100 })
  await expect(rowOf(page, 'Zoë’s talk')).toContainText('Ready')
  await expect(page.getByRole('grid', { name: 'Files' })).toHaveAttribute('data-flashed', '')
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { told: string[] }).told))
    .toEqual(['Zoë’s talk is ready'])
  await expect(page).toHaveTitle(/^Files/)
  await expect(icon).toHaveAttribute('href', '/favicon.svg')
})

test('a name keeps its inner spaces on screen and on disk', async ({ page, service, sandboxAccount }) => {
  const name = 'two  words,   three'
  await tool(service, sandboxAccount, 'files', { seconds: 60, progress_percent: 100, name })
  await signIn(page, sandboxAccount.key)
  const link = page.getByRole('link', { name: 'two words, three' })
  expect(await link.evaluate((element: HTMLElement) => element.innerText)).toBe(name)
  await link.click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect.poll(() => heading.evaluate((element: HTMLElement) => element.innerText)).toBe(name)
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const saved = await downloadOf(page, () => page.getByRole('menuitem', { name: /^SRT/ }).click())
  expect(saved.suggestedFilename()).toBe(`${name}.srt`)
})
