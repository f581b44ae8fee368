import { copyFile, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { browserLaunch } from './browser-launch.ts'
import { clip, sharedSpeech, speak } from './recordings.ts'
import { ServiceProcess } from './service-process.ts'

/*
 * `node e2e/screenshots.ts`: the pictures of the README, taken from the real app at three widths, light and dark. Real
 * clips where the shared ones are there, else a voice made by espeak-ng.
 */

const folder = join(import.meta.dirname, 'screenshots')

const looks = [
  { name: '1440', width: 1440, height: 900, colorScheme: 'light' },
  { name: '1440-dark', width: 1440, height: 900, colorScheme: 'dark' },
  { name: '1024', width: 1024, height: 768, colorScheme: 'light' },
  { name: '390', width: 390, height: 844, colorScheme: 'light' },
  { name: '390-dark', width: 390, height: 844, colorScheme: 'dark' },
] as const

/** Recordings under names that people give them. */
async function recordings(): Promise<string[]> {
  const to = await mkdtemp(join(tmpdir(), 'parley-pictures-'))
  const named: [name: string, id: string][] = [
    ['Custom speech, narration take 2.wav', 'az-audio2'],
    ['Inaugural address (excerpt).wav', 'jfk'],
    ['Corpus session, fast and slow.wav', 'acoustic_corpus'],
    ['Printing, chapter 1.wav', 'LJ001-0001'],
    ['Sense and Sensibility 0870.wav', 'austen-0870'],
  ]
  if (sharedSpeech === null)
    return [await speak('The people of the city want to know what the president said.', 'Town meeting.wav')]
  const paths = []
  for (const [name, id] of named) {
    const path = join(to, name)
    await copyFile(clip(id).path, path)
    paths.push(path)
  }
  return paths
}

async function signIn(page: Page, service: ServiceProcess, key: string): Promise<void> {
  await page.goto(new URL('/sign-in', service.url).href)
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor()
}

async function orderAll(browser: Browser, service: ServiceProcess, key: string, paths: string[]): Promise<void> {
  const page = await browser.newPage()
  await signIn(page, service, key)
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Automated/ }).check()
  await page.getByLabel('Choose files').setInputFiles(paths)
  await page.getByRole('button', { name: /^Upload and pay \$/ }).click()
  await page
    .getByText('Ready', { exact: true })
    .nth(paths.length - 1)
    .waitFor({ timeout: 180_000 })
  await page.close()
}

async function shoot(page: Page, screen: string, look: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(folder, `${screen}-${look}.png`) })
}

/** Every screen in one look, walked through as a person would. */
async function walk(
  browser: Browser,
  service: ServiceProcess,
  key: string,
  look: (typeof looks)[number],
  paths: string[],
) {
  const { name, width, height, colorScheme } = look
  const page = await browser.newPage({ viewport: { width, height }, colorScheme })
  await page.goto(new URL('/sign-in', service.url).href)
  await page.getByLabel('API key', { exact: true }).waitFor()
  await shoot(page, 'sign-in', name)
  await signIn(page, service, key)
  await page.getByText('Ready', { exact: true }).first().waitFor()
  await shoot(page, 'files', name)
  await page
    .getByRole('link', { name: 'Custom speech, narration take 2' })
    .or(page.getByRole('link', { name: 'Town meeting' }))
    .first()
    .click()
  await page.getByRole('article').first().waitFor()
  await page.locator('body').press('Space')
  await page.waitForTimeout(4_000)
  await page.locator('body').press('Space')
  await shoot(page, 'transcript', name)
  await page.getByRole('link', { name: 'Back to the files' }).click()
  await page
    .getByRole('link', { name: /^(New order|Order)$/ })
    .first()
    .click()
  await page.getByLabel('Choose files').setInputFiles(paths.slice(0, 3))
  await page.getByText('$', { exact: false }).first().waitFor()
  await page.waitForTimeout(1_500)
  await shoot(page, 'order', name)
  for (const screen of ['Usage', 'Webhooks', 'Settings']) {
    await page.getByRole('link', { name: screen, exact: true }).first().click()
    await page.getByRole('heading', { name: screen, level: 1 }).waitFor()
    await page.waitForTimeout(800)
    await shoot(page, screen.toLowerCase(), name)
  }
  await page.close()
}

await mkdir(folder, { recursive: true })
const service = await ServiceProcess.start({ RECOGNISER: 'pocketsphinx', OFFLINE: '1' })
const browser = await chromium.launch(browserLaunch)
try {
  const { key } = await service.createAccount('live', 'Example')
  const paths = await recordings()
  await orderAll(browser, service, key, paths)
  for (const look of looks) await walk(browser, service, key, look, paths)
} finally {
  await browser.close()
  await service.remove()
}
