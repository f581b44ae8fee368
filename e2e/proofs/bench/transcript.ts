import { type Browser, chromium } from '@playwright/test'
import { wholeBrowserLaunch } from '../../kit/browser-launch.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { openTask } from '../../kit/transcript-tasks.ts'
import { serveBare } from './bare-pages.ts'
import { captionView } from './caption-view.ts'
import { MeasuredPage } from './measured-page.ts'
import type { Bench, Measurement } from './measurement.ts'
import { unlessShort } from './short.ts'
import { transcriptPages } from './transcript-pages.ts'
import { Dashboard } from './transcript-samples.ts'

const firstText = { dashboard: '[role="feed"] p', static: 'main p', window: 'main p' }

/** CPU milliseconds from navigation until text is visible. */
async function cpuToText(
  browser: Browser,
  url: string,
  selector: string,
  kept: Record<string, string>,
): Promise<number> {
  const measured = await MeasuredPage.open(browser, kept)
  const before = await measured.cpuMs()
  await measured.page.goto(url, { waitUntil: 'commit' })
  await measured.page.waitForSelector(selector, { state: 'attached' })
  const after = await measured.cpuMs()
  await measured.close()
  return after - before
}

const mostCorrections = unlessShort(5_000, 50)
/** `5,000` */
const inWords = (count: number) => count.toLocaleString('en-US')
const playSeconds = unlessShort(6, 1)

/** Main-thread milliseconds per second of playback. */
async function playback({ page, ...rest }: { page: MeasuredPage['page']; measured: MeasuredPage }): Promise<number> {
  const { measured } = rest
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
  const before = await measured.mainThreadMs()
  await page.waitForFunction(
    (until) => (document.querySelector('video')?.currentTime ?? 0) > until,
    playSeconds + 0.5,
    {
      polling: 1_000,
    },
  )
  const busy = (await measured.mainThreadMs()) - before
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  return busy / playSeconds
}

/** Milliseconds from the click on a word until playback has moved there and the next frame is painted. */
async function clickToSound(page: MeasuredPage['page']): Promise<{ sound: number; painted: number }> {
  const place = await page.locator('[role="feed"] p').nth(2).boundingBox()
  await page.evaluate(() => {
    document.addEventListener(
      'click',
      (event) => {
        const sound = performance.now() - event.timeStamp
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          channel.port1.onmessage = () => {
            document.body.dataset.click = JSON.stringify({ sound, painted: performance.now() - event.timeStamp })
          }
          channel.port2.postMessage(0)
        })
      },
      { once: true },
    )
  })
  await page.mouse.click((place?.x ?? 0) + 20, (place?.y ?? 0) + 12)
  await page.waitForFunction(() => document.body.dataset.click !== undefined)
  return JSON.parse((await page.locator('body').getAttribute('data-click')) ?? '{}') as {
    sound: number
    painted: number
  }
}

/** The slowest of several keystrokes, until its effect is painted. Milliseconds. */
async function slowestKey(page: MeasuredPage['page'], keys: string): Promise<number> {
  await page.evaluate(() => {
    const times: number[] = []
    document.body.dataset.keys = '[]'
    // A bubbling listener on the window runs after the page's own: it measures their work.
    window.addEventListener('input', (event) => {
      times.push(performance.now() - event.timeStamp)
      document.body.dataset.keys = JSON.stringify(times)
    })
  })
  for (const key of keys) await page.keyboard.type(key)
  const times = JSON.parse((await page.locator('body').getAttribute('data-keys')) ?? '[]') as number[]
  return Math.max(...times)
}

type Opened = { id: string; what: string; corrections: number }

/** Interactions once text and corrections have loaded. */
async function interactions(
  browser: Browser,
  dashboard: Dashboard,
  { id, what: of, corrections }: Opened,
): Promise<Measurement[]> {
  const measured = await MeasuredPage.open(browser, dashboard.kept)
  const { page } = measured
  await page.goto(dashboard.url(id))
  const stand = corrections === 0 ? /^No corrections yet/ : new RegExp(`^${inWords(corrections)} corrections · saved`)
  await openTask(page, 'Edit')
  await page.getByText(stand).first().waitFor()
  const at = (what: string) => `${of}: ${what}`
  const results: Measurement[] = []
  const add = (what: string, value: number, unit: string, atMost: number) =>
    results.push({ what: at(what), value, unit, goal: { atMost } })
  add('elements', await measured.elements(), '', 3_000)
  add('heap and buffers', await measured.heapMb(), 'MB', 40)
  add('main thread a second of playback', await playback({ page, measured }), 'ms', 12)
  const click = await clickToSound(page)
  add('click on a word to sound', click.sound, 'ms', 20)
  add('click on a word to paint', click.painted, 'ms', 33)
  await page.keyboard.press('Space')
  add('jump to the end, painted', await measured.jumpToEndMs('section[aria-label="Transcript"]'), 'ms', 50)
  await page.keyboard.press('/')
  add('find, slowest keystroke', await slowestKey(page, 'harbours'), 'ms', 30)
  await page.keyboard.press('Escape')
  await page
    .locator('[role="feed"] p')
    .nth(8)
    .dblclick({ position: { x: 20, y: 12 } })
  await page.getByRole('textbox', { name: 'Text of this turn' }).waitFor()
  add('typing, slowest key', await slowestKey(page, 'some words more '), 'ms', 16)
  await measured.close()
  return results
}

/** Three lengths, or the one of `--hours`, each against a page of all words and a bare window of the visible ones. */
export const benchTranscript: Bench = async (options) => {
  const service = await ServiceProcess.start({ OFFLINE: '1', LOG_LEVEL: 'warn' })
  const args = [...(wholeBrowserLaunch.args ?? []), '--autoplay-policy=no-user-gesture-required']
  const browser = await chromium.launch({ ...wholeBrowserLaunch, args })
  const results: Measurement[] = []
  try {
    const { account, key } = await service.createAccount('sandbox')
    const dashboard = new Dashboard(service, account, key)
    const short = await dashboard.sample(10)
    const toText = (id: string) => cpuToText(browser, dashboard.url(id), firstText.dashboard, dashboard.kept)
    // Unmeasured warm-up: the first start fills the browser's code cache.
    await toText(short.id)
    const start = await toText(short.id)
    for (const hours of options.hours === undefined ? unlessShort([1, 10, 24], [0.2]) : [Number(options.hours)]) {
      const sample = await dashboard.sample(hours * 3_600)
      const { id, json, words } = sample
      const { url, server } = await serveBare(transcriptPages(json))
      const bare = await cpuToText(browser, new URL('/window', url).href, firstText.window, {})
      const all = await cpuToText(browser, new URL('/static', url).href, firstText.static, {})
      server.close()
      const what = `${hours} h, ${words} words: CPU to first text (bare window ${bare.toFixed(0)}, static ${all.toFixed(0)}, app ${start.toFixed(0)})`
      results.push({ what, value: await toText(id), unit: 'ms', goal: { atMost: 1.5 * bare + start } })
      results.push(...(await interactions(browser, dashboard, { id, what: `${hours} h`, corrections: 0 })))
      // Every second word of a short one: adjacent corrections would merge.
      const corrections = Math.min(mostCorrections, Math.floor(words / 2))
      await dashboard.correct(sample, corrections)
      const corrected = { id, what: `${hours} h, ${inWords(corrections)} corrections`, corrections }
      const goal = { atMost: 1.5 * bare + start }
      results.push({ what: `${corrected.what}: CPU to first text`, value: await toText(id), unit: 'ms', goal })
      results.push(...(await interactions(browser, dashboard, corrected)))
      // Last, as it makes corrections.
      results.push(...(await captionView(browser, dashboard, id, `${hours} h`)))
    }
  } finally {
    await browser.close()
    await service.remove()
  }
  return results
}
