import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { harbour, newer } from '../../kit/harbour-talk.ts'
import { pictureSamples, seedFiles } from '../../kit/seed-files.ts'
import { test } from '../../kit/seeded-transcripts.ts'
import type { ServiceProcess } from '../../kit/service-process.ts'
import { sessionOf, storeSession } from '../../kit/stored-session.ts'
import { Line } from '../../proofs/bench/line.ts'

/**
 * Transfer size limits per page for a new browser, in kB: everything downloaded, headers and workers included. Of the
 * sign-in page's code, links to privacy, terms and licenses are 0.4; of the list, balance and budgets of the account 0.6.
 */
const limits = { signIn: 158, signInCode: 129.5, list: 235, transcript: 270 }
/** Limits for each worker's code, in kB: it loads alongside the page's first content. */
const workers = { 'library-worker': 8, 'words-worker': 4 }

/** Opens a URL over a metered line. @returns kilobytes, without words and audio */
async function kilobytesOf(page: Page, service: ServiceProcess, path: string, stands: () => Promise<void>) {
  const line = await Line.to(service.url)
  try {
    await page.goto(line.url(path))
    await stands()
    await line.quiet()
    return line.downBytes.page / 1_000
  } finally {
    await line.close()
  }
}

test('the sign-in page, its code and its fonts', async ({ page, service }) => {
  const kilobytes = await kilobytesOf(page, service, '/sign-in', () =>
    expect(page.getByLabel('API key', { exact: true })).toBeVisible(),
  )
  expect(kilobytes).toBeLessThan(limits.signIn)
  const code = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => /\.(js|css)$/.test(name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  )
  expect(code).toBeGreaterThan(50_000)
  expect(code / 1_000).toBeLessThan(limits.signInCode)
})

test('the list of files', async ({ page, service, account }) => {
  const now = Date.now()
  const older = Array.from({ length: 200 }, (_, index) => ({
    name: `Recording ${(index * 7_919) % 200}`,
    created_at: now - index * 600_000,
  }))
  await seedFiles(service.dataDir, account.account, 'live', [...pictureSamples(now), ...older])
  await storeSession(page, sessionOf(account))
  const kilobytes = await kilobytesOf(page, service, '/live/files', () =>
    expect(page.getByText(/^\d+ files · .* of recordings$/)).toBeVisible(),
  )
  expect(kilobytes).toBeGreaterThan(100)
  expect(kilobytes).toBeLessThan(limits.list)
  // Popups, dialogs and uploads are lazily loaded.
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  expect(loaded.filter((name) => /(menu|popover|dialog|palette|uploads|transcript-route)-/.test(name))).toEqual([])
})

test('a transcript, without its words', async ({ page, service, account, seeded }) => {
  const id = await seeded.seed(account, harbour(newer))
  await storeSession(page, sessionOf(account))
  const kilobytes = await kilobytesOf(page, service, `/live/files/${id}`, () =>
    expect(page.getByRole('feed').getByRole('article').first()).toBeVisible(),
  )
  expect(kilobytes).toBeGreaterThan(100)
  expect(kilobytes).toBeLessThan(limits.transcript)
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  expect(loaded.filter((name) => /(files-route|geist-mono|uploads)-/.test(name))).toEqual([])
})

test('the code of each worker', async () => {
  const folder = join(import.meta.dirname, '../../../dist/assets')
  const names = await readdir(folder)
  for (const [worker, limit] of Object.entries(workers)) {
    const found = names.filter((name) => name.startsWith(worker) && name.endsWith('.js.br'))
    expect(found).toHaveLength(1)
    expect((await stat(join(folder, found[0] ?? ''))).size / 1_000, worker).toBeLessThan(limit)
  }
})
