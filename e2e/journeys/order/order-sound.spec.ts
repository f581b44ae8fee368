import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect } from '@playwright/test'
import { runFfmpeg } from '../../../src/service/platform/media/testing/run-ffmpeg.ts'
import { withDatabase } from '../../../src/service/start/cli/operate.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { expectOrders, fillTray, payButton } from '../../kit/order-page.ts'
import { signIn } from '../../kit/sign-in.ts'

const tones = ['440', '550'].flatMap((hertz) => ['-f', 'lavfi', '-t', '60', '-i', `sine=frequency=${hertz}`])
/** The tones in turns of three seconds, a channel each. */
const turns = '[0]volume=0:enable=lt(mod(t\\,6)\\,3)[a];[1]volume=0:enable=gte(mod(t\\,6)\\,3)[b];[a][b]join=inputs=2'

test('a recording with two sound tracks says so before it is paid for, and is ordered with a speaker a track', async ({
  page,
  account,
  service,
}) => {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-tracks-')), 'Podcast.mkv')
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

test('a telephone call with a speaker a channel is offered as that, whatever it is coded in, and music is not', async ({
  page,
  account,
}) => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-channels-'))
  const mixed = '[0][1]amix,asplit[a][b];[a][b]join=inputs=2'
  const paths: string[] = []
  for (const [name, graph, ...codec] of [
    // Heard first: once all others are offered, these were not.
    ['Music.m4a', mixed, '-c:a', 'aac'],
    ['Music.mp3', mixed, '-b:a', '128k'],
    ['Call.mp3', turns, '-b:a', '32k', '-ar', '16000'],
    ['Variable.mp3', turns, '-q:a', '4'],
    ['Exchange.wav', turns, '-c:a', 'pcm_alaw', '-ar', '8000'],
    ['Meeting.m4a', turns, '-c:a', 'aac', '-b:a', '64k'],
    ['Fragments.mp4', turns, '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov'],
    ['Browser.webm', turns, '-c:a', 'libopus', '-b:a', '48k'],
    ['Recorder.ogg', turns, '-c:a', 'libvorbis'],
    ['Voice.opus', turns, '-c:a', 'libopus'],
    ['Studio.flac', turns, '-c:a', 'flac'],
    ['Radio.aac', turns, '-c:a', 'aac'],
  ] as const) {
    const path = join(directory, name)
    runFfmpeg(...tones, '-filter_complex', graph, ...codec, path)
    paths.push(path)
  }
  await signIn(page, account.key)
  await fillTray(page, paths)
  for (const name of paths.map((path) => basename(path)).filter((one) => !one.startsWith('Music'))) {
    const sound = page.getByRole('combobox', { name: `Sound of ${name}` })
    await expect(sound.getByRole('option')).toHaveText([
      '2 channels, a speaker each: mixed into one',
      '2 channels, a speaker each: heard one by one',
    ])
  }
  // Of selected ones all alike change together.
  const chosen = (name: string) => page.getByRole('combobox', { name: `Sound of ${name}` })
  await chosen('Radio.aac').selectOption('each')
  await expect(chosen('Call.mp3')).toHaveValue('')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await chosen('Voice.opus').selectOption('each')
  await expect(page.getByRole('combobox', { name: /^Sound of / })).toHaveCount(10)
  for (const name of ['Call.mp3', 'Studio.flac']) await expect(chosen(name)).toHaveValue('each')
  for (const name of ['Music.m4a', 'Music.mp3']) {
    await expect(page.getByText(name, { exact: true })).toBeVisible()
    await expect(page.getByRole('combobox', { name: `Sound of ${name}` })).toHaveCount(0)
  }
})

test('channels that were not heard before a reload are heard after it', async ({ page, account }) => {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-unheard-')), 'Call.ogg')
  runFfmpeg(...tones, '-filter_complex', turns, path)
  const sound = page.getByRole('combobox', { name: 'Sound of Call.ogg' })
  await page.context().route('**/two-speakers-*.js', (route) => route.abort())
  const asked = page.context().waitForEvent('requestfailed', (request) => request.url().includes('two-speakers'))
  await signIn(page, account.key)
  await fillTray(page, path)
  await expect(payButton(page)).toHaveText('Upload and pay $0.10')
  await asked
  await expect(sound).toHaveCount(0)

  await page.context().unroute('**/two-speakers-*.js')
  await page.reload()
  await signIn(page, account.key, { at: null })
  await page.getByLabel('Choose files').last().setInputFiles(path)
  await expect(sound).toBeVisible()
})
