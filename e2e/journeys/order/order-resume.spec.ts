import { execFileSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { BadNetwork } from '../../kit/bad-network.ts'
import { test } from '../../kit/fixtures.ts'
import { dock } from '../../kit/order-page.ts'
import { signIn, signInPage } from '../../kit/sign-in.ts'

/** 67 MB: above the 50 MB threshold for resumable uploads. */
async function longRecording(): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-resume-')), 'Long hearing.wav')
  const source = 'sine=frequency=220:sample_rate=48000:duration=350'
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-ac', '2', path])
  return path
}

async function startOrder(page: Page, network: BadNetwork, key: string, path: string): Promise<void> {
  await signIn(page, key, { at: signInPage(network) })
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Automated/ }).check()
  await page.getByLabel('Choose files').setInputFiles(path)
  network.slowTo(15_000_000)
  await page.getByRole('button', { name: /^Upload and pay \$/ }).click()
  await expect(dock(page)).toContainText('MB/s')
}

/** Bytes of the file sent by the browser, over all attempts. */
function countSent(page: Page): () => number {
  let bytes = 0
  page.on('request', (request) => {
    if (request.method() === 'PATCH') bytes += 67_200_078 - Number(request.headers()['upload-offset'])
  })
  return () => bytes
}

test('an interrupted upload continues automatically from where it stopped', { tag: '@slow' }, async ({
  page,
  account,
  service,
  network,
}) => {
  const asked = countSent(page)
  await startOrder(page, network, account.key, await longRecording())
  network.cutAfter(30_000_000)
  await expect(dock(page)).toContainText('The service cannot be reached. Retrying automatically.')
  network.mend()
  await expect(dock(page)).toContainText('1 file in this order')
  // The second attempt sent only what was missing.
  expect(asked()).toBeLessThan(67_200_078 + 45_000_000)
  expect((await service.parley('ledger', account.account)).split('\n')).toHaveLength(1)
})

test('what the service holds still counts as sent after a reload, and in a pause', { tag: '@slow' }, async ({
  page,
  account,
  network,
}) => {
  await startOrder(page, network, account.key, await longRecording())
  const percent = async () => Number(/(\d+)% sent/.exec((await dock(page).textContent()) ?? '')?.[1])
  await expect.poll(percent).toBeGreaterThan(30)
  await dock(page).getByRole('button', { name: 'Pause uploads' }).click()
  await expect(dock(page)).toContainText('Paused')
  const before = await percent()
  expect(before).toBeGreaterThan(30)
  page.once('dialog', (question) => void question.accept())
  await page.reload()
  await signIn(page, account.key, { at: null })
  await expect(dock(page)).toContainText('The page was reloaded or closed before 1 file was sent.')
  // What arrived without an answer before the pause counts, too.
  await expect.poll(percent).toBeGreaterThanOrEqual(before)
})

test('pause holds the upload, and resume sends the rest', { tag: '@slow' }, async ({
  page,
  account,
  service,
  network,
}) => {
  await startOrder(page, network, account.key, await longRecording())
  await dock(page).getByRole('button', { name: 'Pause uploads' }).click()
  await expect(dock(page)).toContainText('Paused')
  network.mend()
  await dock(page).getByRole('button', { name: 'Resume uploads' }).click()
  await expect(dock(page)).toContainText('1 file in this order')
  expect((await service.parley('ledger', account.account)).split('\n')).toHaveLength(1)
})
