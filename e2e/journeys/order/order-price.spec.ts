import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { dock, expectOrders, fillTray, payButton, startOrder } from '../../kit/order-page.ts'
import { signIn } from '../../kit/sign-in.ts'

/**
 * A recording whose end says too little: a short one of the same serial number stands before it, and times begin again.
 * @param lengths of both, in seconds
 */
async function joined(name: string, ...lengths: [short: number, long: number]): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-price-')), name)
  const opus = ['-c:a', 'libopus', '-b:a', '64k', '-vbr', 'off', '-serial_offset', '7', '-fflags', '+bitexact']
  const parts = lengths.map(async (seconds, part) => {
    execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', `sine=d=${seconds}`, ...opus, `${path}.${part}.opus`])
    return await readFile(`${path}.${part}.opus`)
  })
  await writeFile(path, Buffer.concat(await Promise.all(parts)))
  return path
}

test('a recording that costs more than the button said is not ordered until its true price is accepted', {
  tag: '@slow',
}, async ({ page, account, service }) => {
  await signIn(page, account.key)
  await startOrder(page, [await joined('Hearing.opus', 10, 60), await joined('Board.opus', 10, 120)])
  await expect(dock(page)).toContainText('This recording is 2:10 long, not 2:00: $0.22 instead of $0.20.')
  await expect(dock(page)).toContainText('This recording is 1:10 long, not 1:00: $0.12 instead of $0.10.')
  await expect(dock(page)).toContainText('Nothing was charged.')
  await expect(dock(page).getByRole('button', { name: 'Order 2 for $0.34' })).toBeVisible()
  await expectNoAxeFindings(page)
  await expectOrders(service, account, 0)
  await dock(page).getByRole('button', { name: 'Order for $0.12' }).click()
  await expect(page.getByRole('link', { name: 'Hearing', exact: true })).toBeVisible()
  await expectOrders(service, account, 1)
  await dock(page).getByRole('button', { name: 'Order for $0.22' }).click()
  await expect(dock(page)).toContainText('2 files in this order')
  await expectOrders(service, account, 2)
})

test('the estimate of the queue moves no button when it arrives', async ({ page, account }) => {
  const held = Promise.withResolvers<void>()
  await page.route(/account\/queue\?/, async (route) => {
    await held.promise
    await route.continue()
  })
  await signIn(page, account.key)
  await fillTray(page, await joined('Hearing.opus', 10, 30))
  const before = await payButton(page).boundingBox()
  held.resolve()
  await expect(page.getByText(/^Ready after the upload in about/)).toBeVisible()
  expect(await payButton(page).boundingBox()).toEqual(before)
})

test('one WAV a speaker is no copy of another, though they begin and end alike', async ({ page, account }) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-stems-'))
  const silence = Buffer.alloc(10 * 96_000)
  const paths = await Promise.all(
    [1, 2, 3].map(async (speaker) => {
      const samples = Buffer.from(silence)
      // Silent but for a moment in the middle; the third is a copy of the second.
      samples.writeInt16LE(9_000 * Math.min(speaker, 2), samples.length / 2)
      const path = join(folder, `${speaker}-guest.wav`)
      await writeFile(`${path}.pcm`, samples)
      const raw = ['-f', 's16le', '-ar', '48000', '-ac', '1', '-i', `${path}.pcm`]
      execFileSync('ffmpeg', ['-v', 'error', ...raw, '-fflags', '+bitexact', path])
      return path
    }),
  )
  await signIn(page, account.key)
  await fillTray(page, paths)
  await expect(page.getByText('2 of 3 files will be ordered · left out: 1 duplicate')).toBeVisible()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText('Same recording as “2-guest.wav” · left out')).toBeVisible()
  await expect(payButton(page)).toHaveText('Upload and pay $0.04')

  await page.reload()
  await signIn(page, account.key, { at: null })
  await expect(page.getByText('The page was reloaded: 3 files to open again.')).toBeVisible()
  await page.getByLabel('Choose files').last().setInputFiles(paths)
  await expect(page.getByText('2 of 3 files will be ordered · left out: 1 duplicate')).toBeVisible()
  await expect(payButton(page)).toHaveText('Upload and pay $0.04')
  // What is left out, and not shown, goes with all the others: it would be ordered in their place.
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('Drop recordings or folders here')).toBeVisible()
})
