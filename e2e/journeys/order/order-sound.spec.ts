import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { runFfmpeg } from '../../../src/service/platform/media/testing/run-ffmpeg.ts'
import { withDatabase } from '../../../src/service/start/cli/operate.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { expectOrders, fillTray, payButton } from '../../kit/order-page.ts'
import { signIn } from '../../kit/sign-in.ts'

test('a recording with two sound tracks says so before it is paid for, and is ordered with a speaker a track', async ({
  page,
  account,
  service,
}) => {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-tracks-')), 'Podcast.mkv')
  const tones = ['440', '550'].flatMap((hertz) => ['-f', 'lavfi', '-t', '60', '-i', `sine=frequency=${hertz}`])
  const titles = ['-metadata:s:a:0', 'title=Host', '-metadata:s:a:1', 'title=Guest', '-metadata:s:a:1', 'language=deu']
  runFfmpeg(...tones, '-map', '0', '-map', '1', ...titles, '-c:a', 'libopus', path)
  await signIn(page, account.key)
  await fillTray(page, path)
  const sound = page.getByRole('combobox', { name: 'Sound of Podcast.mkv' })
  await expect(sound.getByRole('option')).toHaveText([
    /^2 sound tracks: “Host”.* is heard$/,
    '2 sound tracks: “Guest”, deu is heard',
    '2 sound tracks: each its own speaker',
  ])
  await sound.selectOption('2 sound tracks: each its own speaker')
  await expectNoAxeFindings(page)
  await expect(payButton(page)).toHaveText('Upload and pay $0.10')
  await payButton(page).click()
  await expect(page.getByRole('link', { name: 'Podcast', exact: true })).toBeVisible()
  await expectOrders(service, account, 1)
  const rows = await withDatabase(service, (db) =>
    db.selectFrom('files').select('sound').where('account_id', '=', account.account).execute(),
  )
  expect(rows).toEqual([{ sound: 'each' }])
})
