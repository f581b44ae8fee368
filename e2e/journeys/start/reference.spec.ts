import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { contents } from '../../../src/reference/contents.ts'
import { expectNoAxeFindings, ignoreErrors, test } from '../../kit/fixtures.ts'
import { signIn } from '../../kit/sign-in.ts'
import { Line } from '../../proofs/bench/line.ts'

const slugs = contents.flatMap((group) => group.slugs)
const dist = join(import.meta.dirname, '../../../dist')
/** Most kilobytes on the wire: the first page with all that it loads, and any other. */
const limits = { first: 60, any: 120, script: 15 }

const sizeOf = async (path: string) => (await stat(path).catch(() => null))?.size ?? 0

/** Bytes of a file as it is sent: compressed where that is smaller. */
const sentBytes = async (path: string) => (await sizeOf(`${path}.br`)) || (await sizeOf(path))

test('the first page, with its script, styles and font, over a metered line', async ({ page, service }) => {
  const line = await Line.to(service.url)
  try {
    await page.goto(line.url('/docs'))
    await expect(page.getByRole('button', { name: 'Try it' }).first()).toBeVisible()
    await line.quiet()
    expect(line.downBytes.page / 1_000).toBeGreaterThan(20)
    expect(line.downBytes.page / 1_000).toBeLessThan(limits.first)
  } finally {
    await line.close()
  }
})

test('every page and its script are small', async () => {
  for (const slug of slugs) {
    const html = join(dist, `docs/pages/${slug}.html`)
    const loaded = [...(await readFile(html, 'utf8')).matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)]
    const bytes = await Promise.all([html, ...loaded.map(([, path = '']) => join(dist, path))].map(sentBytes))
    const sum = bytes.reduce((all, one) => all + one, 0) / 1_000
    expect(sum, slug).toBeGreaterThan(20)
    expect(sum, slug).toBeLessThan(limits.any)
    const script = loaded.find(([, path = '']) => path.endsWith('.js'))?.[1] ?? ''
    expect((await sizeOf(join(dist, script))) / 1_000).toBeLessThan(limits.script)
  }
})

/** Pages of one test: axe takes about a second for each. */
const atOnce = 4

for (const scheme of ['light', 'dark'] as const) {
  for (let from = 0; from < slugs.length; from += atOnce) {
    const some = slugs.slice(from, from + atOnce)
    test(`axe finds nothing in ${scheme} on ${some.join(', ')}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme })
      for (const slug of some) {
        await page.goto(`/docs/${slug}`)
        await expectNoAxeFindings(page)
      }
    })
  }
}

test('a phone shows every page without scrolling sideways', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const slug of slugs) {
    await page.goto(`/docs/${slug}`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), slug).toBe(390)
  }
  await page.getByText('Pages', { exact: true }).click()
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Limits' }).click()
  await expect(page.getByRole('heading', { name: 'Limits', level: 1 })).toBeVisible()
})

test('without JavaScript a page is read, and its language chosen', async ({ browser, service }) => {
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(new URL('/docs/uploads', service.url).href)
  await expect(page.getByText('curl -X PATCH')).toBeVisible()
  await page.getByLabel('Python').check()
  await expect(page.getByText('curl -X PATCH')).toBeHidden()
  await expect(page.getByText('recording.seek')).toBeVisible()
  await expect(page.getByText('Sandbox key')).toBeHidden()
  await page.close()
})

test('a typed key is in all examples, and nowhere else', async ({ page, sandboxAccount, account }) => {
  await page.goto('/docs/progress')
  const field = page.getByLabel('Sandbox key')
  const example = page.locator('.example').first()
  await field.fill(account.key)
  await page.getByRole('button', { name: 'Use', exact: true }).click()
  await expect(page.getByText('This is a live key, which pays real money.')).toBeVisible()
  await expect(page.locator('body')).not.toContainText(account.key)
  // As it comes out of a mail: broken and indented.
  const { key } = sandboxAccount
  await field.fill(`  ${key.slice(0, 30)} \t ${key.slice(30)} `)
  await page.getByRole('button', { name: 'Use', exact: true }).click()
  await expect(example).toContainText(`-u ${key}:`)
  await expect(page.getByText('parley_test_YOUR_KEY')).toHaveCount(0)
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
  )
  expect(kept).not.toContain(key)
  await page.getByRole('button', { name: 'Forget' }).click()
  await expect(example).toContainText('parley_test_YOUR_KEY')
})

test('an open dashboard hands its sandbox key over, and takes it back', async ({
  page,
  context,
  sandboxAccount,
  account,
}) => {
  await signIn(page, sandboxAccount.key)
  await expect(page.getByRole('link', { name: 'API docs' })).toHaveAttribute('href', '/docs')
  const docs = await context.newPage()
  await docs.goto('/docs/progress')
  await expect(docs.locator('.example').first()).toContainText(`-u ${sandboxAccount.key}:`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(docs.locator('.example').first()).toContainText('parley_test_YOUR_KEY')
  // A live session is not for examples.
  await signIn(page, account.key)
  await docs.reload()
  await expect(docs.getByRole('button', { name: 'Try it' }).first()).toBeVisible()
  await expect(docs.locator('body')).not.toContainText(account.key)
})

test('from no account to a transcript with Try it', async ({ page }) => {
  await page.goto('/docs')
  const tried = page.locator('.example', { has: page.getByRole('button', { name: 'Try it' }) })
  const press = (index: number) => tried.nth(index).getByRole('button', { name: 'Try it' }).click()
  await press(1)
  await expect(tried.nth(1).getByRole('status')).toContainText('Enter a sandbox key above')
  await press(0)
  await expect(tried.nth(0).getByRole('status')).toContainText('HTTP 201')
  await press(1)
  await expect(tried.nth(1).getByRole('status')).toContainText('"id": "f')
  await press(2)
  await expect(tried.nth(2).getByRole('status')).toContainText('x-service-metadata: {"name":"sample"')
  await press(3)
  await expect(tried.nth(3).getByRole('status')).toContainText('HTTP 200')
})

test('an error is shown as it is', async ({ page, loggedErrors }) => {
  await page.goto('/docs/progress')
  await page.getByLabel('Sandbox key').fill(`parley_test_${'0'.repeat(40)}`)
  await page.getByRole('button', { name: 'Use', exact: true }).click()
  const list = page.locator('.example', { hasText: '/sandbox/v1/files \\' })
  await list.getByRole('button', { name: 'Try it' }).click()
  await expect(list.getByRole('status')).toContainText('HTTP 401')
  ignoreErrors(loggedErrors, '401')
})

test('search leads to a section, by keys alone', async ({ page }) => {
  await page.goto('/docs/limits')
  await page.keyboard.press('/')
  await page.keyboard.type('rotate secret')
  await expect(page.locator('.found a').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/docs\/webhooks#/)
  await page.getByLabel('Search these pages').fill('zzqx')
  await expect(page.getByText('Nothing is found for “zzqx”.')).toBeVisible()
})

test('anchors of the former page lead on, and unfold a request', async ({ page }) => {
  await page.goto('/docs#api-keys')
  await expect(page).toHaveURL(/\/docs\/api-keys$/)
  await page.goto('/docs#schema-Word')
  await expect(page).toHaveURL(/\/docs\/transcripts#words$/)
  await page.goto('/docs/deleting#delete-v1-file-file-id')
  await expect(page.getByText('Wrong file id, or the file was deleted.')).toBeVisible()
})
