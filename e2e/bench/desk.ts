import { chromium, type Page } from '@playwright/test'
import { browserLaunch } from '../browser-launch.ts'
import { ServiceProcess } from '../service-process.ts'
import { submitKey } from '../sign-in.ts'
import { hire, orderTyping } from '../staff-work.ts'
import { type Bench, percentile } from './measurement.ts'
import { unlessShort } from './short.ts'

const words = 'some color and um the the organised words '
const rounds = unlessShort(20, 1)

/** From each key until its effect is painted, while the sound plays. Milliseconds. */
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

/** The staff's desk: key to paint while the sound plays and words are marked. */
export const benchDesk: Bench = async () => {
  const service = await ServiceProcess.start({ RECOGNISER: 'pocketsphinx', OFFLINE: '1', LOG_LEVEL: 'warn' })
  const args = [...(browserLaunch.args ?? []), '--autoplay-policy=no-user-gesture-required']
  const browser = await chromium.launch({ ...browserLaunch, args })
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
    // The turn is looped, so that the short recording does not end.
    await page.keyboard.press('F10')
    const times = await keysToPaint(page)
    const value = percentile(times, 0.95)
    return [{ what: 'key to paint while playing, 95 %', value, unit: 'ms', goal: { atMost: 16 } }]
  } finally {
    await browser.close()
    await service.remove()
  }
}
