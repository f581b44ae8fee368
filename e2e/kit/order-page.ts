import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { runFfmpeg } from '../../src/service/platform/media/testing/run-ffmpeg.ts'
import { withDatabase } from '../../src/service/start/cli/operate.ts'
import { askApi } from '../../src/service/testing/ask-api.ts'
import type { NewAccount, ServiceProcess } from './service-process.ts'

/** 23 MB of audio: long enough to interrupt in the middle, small enough for the multipart route. */
const bigSeconds = 120
export const bigBytes = bigSeconds * 48_000 * 2 * 2

export async function bigRecording(name = 'Hearing.wav', seconds = bigSeconds): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-order-')), name)
  const source = `sine=frequency=220:sample_rate=48000:duration=${seconds}`
  runFfmpeg('-f', 'lavfi', '-i', source, '-ac', '2', path)
  return path
}

export const payButton = (page: Page): Locator =>
  page.getByRole('button', { name: /^Upload and pay (about |at most )?\$/ })
/** What the page says of the uploads: all of a batch on its own page, one line elsewhere. */
export const dock = (page: Page): Locator => page.getByRole('region', { name: /^(Uploads|Order)$/ })

export async function fillTray(page: Page, paths: string | string[]): Promise<void> {
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Automated/ }).check()
  await page.getByLabel('Choose files').setInputFiles(paths)
  await expect(payButton(page)).toBeEnabled()
}

export async function startOrder(page: Page, paths: string | string[]): Promise<void> {
  await fillTray(page, paths)
  await payButton(page).click()
}

/** Moves the mouse over the app, and waits until it accepts drops. */
export async function untilDroppable(page: Page): Promise<void> {
  await page.mouse.move(700, 400)
  await page.locator('#root > [role="presentation"]').waitFor()
}

/** Drops local files or folders on the app, like the window system. */
export async function dropOnApp(page: Page, paths: string[]): Promise<void> {
  await untilDroppable(page)
  const devTools = await page.context().newCDPSession(page)
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devTools.send('Input.dispatchDragEvent', { type, x: 700, y: 400, data })
  }
  await devTools.detach()
}

async function fileIds(service: ServiceProcess, { key }: NewAccount): Promise<string[]> {
  const answer = await askApi(service.url, key, 'files')
  return ((await answer.json()) as { id: string }[]).map(({ id }) => id)
}

/** Expects exactly `count` orders, each charged once and each with its file. */
export async function expectOrders(service: ServiceProcess, account: NewAccount, count: number): Promise<void> {
  const charges = await withDatabase(service, (db) =>
    db.selectFrom('ledger').select('file_id').where('account_id', '=', account.account).execute(),
  )
  const ids = await fileIds(service, account)
  expect(charges.map(({ file_id }) => file_id).toSorted()).toEqual(ids.toSorted())
  expect(ids).toHaveLength(count)
}
