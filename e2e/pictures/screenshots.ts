import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { speak } from '../../src/service/recognition/testing/speak.ts'
import { speechClips } from '../../src/service/recognition/testing/speech-clips.ts'
import { browserLaunch } from '../kit/browser-launch.ts'
import { tone } from '../kit/recordings.ts'
import { pictureSamples, type Sample, seedFiles } from '../kit/seed-files.ts'
import { ServiceProcess } from '../kit/service-process.ts'
import { signIn, signInPage } from '../kit/sign-in.ts'

/*
 * `node e2e/pictures/screenshots.ts`: the pictures of docs/tour.md, taken from the real app at three widths, light and
 * dark. Uses the shared clips if available, else a voice synthesized by espeak-ng.
 */

const folder = join(import.meta.dirname, '../../docs/pictures')

const looks = [
  { name: '1440', width: 1440, height: 900, colorScheme: 'light' },
  { name: '1440-dark', width: 1440, height: 900, colorScheme: 'dark' },
  { name: '1024', width: 1024, height: 768, colorScheme: 'light' },
  { name: '390', width: 390, height: 844, colorScheme: 'light' },
  { name: '390-dark', width: 390, height: 844, colorScheme: 'dark' },
] as const

function pathOfClip(wanted: string): string {
  const clip = speechClips().find(({ id }) => id === wanted)
  if (clip === undefined) throw new Error(`There is no clip ${wanted}.`)
  return clip.path
}

/** Two alternating speakers, from clips of two voices. @returns its path */
async function conversation(folder: string): Promise<string> {
  const path = join(folder, 'Reading circle, two voices.wav')
  const ids = ['LJ001-0001', 'az-audio2', 'LJ001-0003', 'austen-0870', 'LJ001-0005', 'LJ001-0010']
  const inputs = ids.flatMap((id) => ['-i', pathOfClip(id)])
  const even = ids.map(
    (_, index) => `[${index}]aformat=sample_rates=16000:channel_layouts=mono,apad=pad_dur=0.8[${index}e]`,
  )
  const joined = `${ids.map((_, index) => `[${index}e]`).join('')}concat=n=${ids.length}:v=0:a=1`
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...inputs, '-filter_complex', [...even, joined].join(';'), path])
  return path
}

/** Recordings with realistic names, the one to read last. */
async function recordings(): Promise<string[]> {
  const to = await mkdtemp(join(tmpdir(), 'parley-pictures-'))
  if (speechClips().length === 0)
    return [await speak('The people of the city want to know what the president said.', 'Town meeting.wav')]
  const paths = []
  for (const [name, id] of [
    ['Inaugural address (excerpt).wav', 'jfk'],
    ['Corpus session, fast and slow.wav', 'acoustic_corpus'],
  ] as const) {
    const path = join(to, name)
    await copyFile(pathOfClip(id), path)
    paths.push(path)
  }
  return [...paths, await conversation(to)]
}

/** Orders of past months, so that there is something to sum up. */
function earlierSamples(now: number): Sample[] {
  return Array.from({ length: 66 }, (_, index) => ({
    name: `Interview ${String(66 - index).padStart(2, '0')}`,
    seconds: 1_500 + ((index * 977) % 4_000),
    created_at: now - (12 + index * 5) * 86_400_000,
    options: { transcript_type: index % 3 === 0 ? ('automated' as const) : ('manual' as const) },
  }))
}

/** A file dropped by mistake. @returns its path */
async function notARecording(): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-pictures-')), 'Slides.pptx')
  await writeFile(path, 'PK\x03\x04')
  return path
}

/** A customer's webhook receiver; its first response is a failure. */
async function startReceiver(): Promise<{ host: string; close(): void }> {
  let count = 0
  const server = createServer((request, response) => {
    count += 1
    request.resume().on('end', () => response.writeHead(count === 1 ? 503 : 204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

async function orderAll(browser: Browser, service: ServiceProcess, key: string, paths: string[]): Promise<void> {
  const page = await browser.newPage()
  await signIn(page, key, { at: signInPage(service) })
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Automated/ }).check()
  await page.getByLabel('Choose files').setInputFiles(paths)
  await page.getByRole('button', { name: /^Upload and pay \$/ }).click()
  await page.getByRole('radio', { name: /Automated/ }).waitFor({ state: 'detached' })
  for (const path of paths) {
    const name = basename(path, '.wav')
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
    await row.getByText('Ready', { exact: true }).waitFor({ timeout: 180_000 })
  }
  await page.close()
}

async function shoot(page: Page, screen: string, look: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(folder, `${screen}-${look}.png`) })
}

/** The features of a transcript: find, check doubtful words, correct, and find in all opened transcripts. */
async function tour(page: Page): Promise<void> {
  await page.keyboard.press('/')
  await page.keyboard.type('the')
  await page
    .getByRole('search')
    .getByText(/^\d+ of \d+$/)
    .waitFor()
  await shoot(page, 'transcript', 'find')
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'Transcript' }).focus()
  await page.keyboard.press('n')
  await page.getByRole('toolbar', { name: 'Doubtful places' }).waitFor()
  await shoot(page, 'transcript', 'doubt')
  await page.getByRole('button', { name: 'Correct', exact: true }).click()
  await page.getByRole('toolbar', { name: 'Correcting a turn' }).waitFor()
  await page.getByText('No corrections yet').waitFor()
  await shoot(page, 'transcript', 'correct')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('the')
  await page.getByRole('option').last().waitFor()
  // Data seeded behind the service's back is compared once a minute.
  await page.getByText('In transcripts', { exact: true }).waitFor({ timeout: 90_000 })
  await shoot(page, 'transcript', 'palette')
  await page.keyboard.press('Escape')
}

/** Every screen in one theme and width, in the order of a typical visit. */
async function walk(
  browser: Browser,
  service: ServiceProcess,
  key: string,
  look: (typeof looks)[number],
  paths: string[],
  others: string[],
) {
  const { name, width, height, colorScheme } = look
  const page = await browser.newPage({ viewport: { width, height }, colorScheme })
  await page.goto(new URL('/sign-in', service.url).href)
  await page.getByLabel('API key', { exact: true }).waitFor()
  await shoot(page, 'sign-in', name)
  await signIn(page, key, { at: signInPage(service) })
  await page.getByText('Ready', { exact: true }).first().waitFor()
  await shoot(page, 'files', name)
  await page.getByRole('link', { name: basename(paths.at(-1) ?? '', '.wav'), exact: true }).click()
  await page.getByRole('article').first().waitFor()
  await page.locator('body').press('Space')
  await page.waitForTimeout(4_000)
  await page.locator('body').press('Space')
  await shoot(page, 'transcript', name)
  if (name === '1440') await tour(page)
  await page.getByRole('link', { name: 'Back to files' }).click()
  await page
    .getByRole('link', { name: /^(New order|Order)$/ })
    .first()
    .click()
  await page.getByLabel('Choose files').setInputFiles(others)
  await page.getByText('$', { exact: false }).first().waitFor()
  await page.waitForTimeout(1_500)
  await shoot(page, 'order', name)
  for (const screen of ['Usage', 'Webhooks', 'Settings']) {
    await page.getByRole('link', { name: screen, exact: true }).first().click()
    await page.getByRole('heading', { name: screen === 'Settings' ? 'Account' : screen, level: 1 }).waitFor()
    if (screen === 'Settings') await page.getByRole('link', { name: 'Ordering', exact: true }).click()
    await page.waitForTimeout(800)
    await shoot(page, screen.toLowerCase(), name)
  }
  await page.close()
}

await mkdir(folder, { recursive: true })
const receiver = await startReceiver()
const service = await ServiceProcess.start({
  RECOGNIZER: 'pocketsphinx',
  OFFLINE: '1',
  ALLOW_TARGETS: receiver.host,
})
const browser = await chromium.launch(browserLaunch)
try {
  const { account, key } = await service.createAccount('live', 'Example')
  await seedFiles(service.dataDir, account, 'live', [...earlierSamples(Date.now()), ...pictureSamples(Date.now())])
  await service.parley('webhook', 'set', account, `http://${receiver.host}/parley`)
  const paths = await recordings()
  await orderAll(browser, service, key, paths)
  const others = [await tone(372, 'Arbitration day 2.mp3'), await tone(64, 'Interview 08.m4a'), await notARecording()]
  for (const look of looks) await walk(browser, service, key, look, paths, others)
} finally {
  await browser.close()
  await service.remove()
  receiver.close()
}
