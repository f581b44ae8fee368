import { type Browser, chromium, type Page } from '@playwright/test'
import { createAccount } from '../../../src/service/accounts/auth/accounts.ts'
import { withDatabase } from '../../../src/service/start/cli/operate.ts'
import { insertParts } from '../../../src/service/workbench/testing/insert-parts.ts'
import { wholeBrowserLaunch } from '../../kit/browser-launch.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { submitKey } from '../../kit/sign-in.ts'
import { hire, orderTyping } from '../../kit/staff-work.ts'
import { type Bench, percentile } from './measurement.ts'
import { unlessShort } from './short.ts'

const words = 'some color and um the the organised words '
const rounds = unlessShort(20, 1)
const queuedParts = unlessShort(2_000, 100)
const partsOfOrder = 20

/** Milliseconds from each key press until its effect is painted, during playback. */
async function keysToPaint(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = []
    window.addEventListener('input', (event) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.onmessage = () => {
          times.push(performance.now() - event.timeStamp)
          document.body.dataset.keys = JSON.stringify(times)
        }
        channel.port2.postMessage(0)
      })
    })
  })
  for (let round = 0; round < rounds; round += 1) await page.keyboard.type(words, { delay: 40 })
  return JSON.parse((await page.locator('body').getAttribute('data-keys')) ?? '[]') as number[]
}

/** The same of a page with nothing but a field: the baseline of the display's frame rate. */
async function keysToPaintOfBareField(browser: Browser): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.setContent('<!doctype html><title>A field</title><textarea autofocus></textarea>')
  await page.locator('textarea').focus()
  const times = await keysToPaint(page)
  await page.close()
  return times
}

/** Milliseconds from signing in until the first row of the queue is visible. */
async function firstRow(browser: Browser, service: ServiceProcess, key: string): Promise<number> {
  const context = await browser.newContext({ baseURL: service.url.href, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto('/work')
  await page.getByLabel('Staff key', { exact: true }).fill(key)
  const time = await page.evaluate(() => {
    const fromMs = performance.now()
    document.forms[0]?.requestSubmit()
    return new Promise<number>((resolve) => {
      const look = () =>
        document.querySelector('tbody tr') === null ? requestAnimationFrame(look) : resolve(performance.now() - fromMs)
      look()
    })
  })
  await context.close()
  return time
}

async function fillQueue(service: ServiceProcess): Promise<void> {
  await withDatabase(service, async (db) => {
    const { accountId } = await createAccount(db, { environment: 'live', name: 'Queue' }, Date.now())
    for (let made = 0; made < queuedParts; made += partsOfOrder) {
      await insertParts(db, accountId, { parts: partsOfOrder, dueAt: Date.now() + made * 60_000 })
    }
  })
}

/** The staff's pages: key to paint during playback with word highlighting; the first row of a long queue. */
export const benchDesk: Bench = async () => {
  const service = await ServiceProcess.start({ RECOGNIZER: 'pocketsphinx', OFFLINE: '1', LOG_LEVEL: 'warn' })
  const args = [...(wholeBrowserLaunch.args ?? []), '--autoplay-policy=no-user-gesture-required']
  const browser = await chromium.launch({ ...wholeBrowserLaunch, args })
  try {
    const key = await hire(service, 'Ann', 'typist')
    await orderTyping(service)
    const context = await browser.newContext({ baseURL: service.url.href, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await page.goto('/work')
    await submitKey(page, key)
    await page.getByRole('row', { name: /Type/ }).first().waitFor()
    await page.keyboard.press('t')
    await page.getByRole('feed', { name: 'Turns' }).getByRole('paragraph').first().dblclick()
    await page.getByRole('textbox', { name: 'Text of this turn' }).waitFor()
    // Loops the turn, so that the short recording does not end.
    await page.keyboard.press('F10')
    const times = await keysToPaint(page)
    await context.close()
    const bare = await keysToPaintOfBareField(browser)
    await fillQueue(service)
    const rows: number[] = []
    for (let round = 0; round < rounds; round += 1) rows.push(await firstRow(browser, service, key))
    return [
      { what: 'key to paint in a bare field, median', value: percentile(bare, 0.5), unit: 'ms' },
      { what: 'key to paint in a bare field, 95 %', value: percentile(bare, 0.95), unit: 'ms' },
      { what: 'key to paint while playing, median', value: percentile(times, 0.5), unit: 'ms' },
      { what: 'key to paint while playing, 95 %', value: percentile(times, 0.95), unit: 'ms', goal: { atMost: 16 } },
      {
        what: `first row of ${queuedParts} parts, 95 %`,
        value: percentile(rows, 0.95),
        unit: 'ms',
        goal: { atMost: 300 },
      },
    ]
  } finally {
    await browser.close()
    await service.remove()
  }
}
