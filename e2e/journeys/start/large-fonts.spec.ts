import { chromium, expect, type Page } from '@playwright/test'
import { browserLaunch } from '../../kit/browser-launch.ts'
import { sample } from '../../kit/devices.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { payButton } from '../../kit/order-page.ts'
import { tone } from '../../kit/recordings.ts'
import { sessionOf, storeSession } from '../../kit/stored-session.ts'

const phone = { width: 390, height: 844 }

/** Elements that reach beyond the page's right edge, and by how much, unless an ancestor scrolls or clips them. */
async function findWide(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const edge = document.documentElement.clientWidth
    const roots = [document.documentElement, ...document.querySelectorAll('main')]
    if (roots.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)) return []
    const wide = [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > edge + 1)
    const names = wide.map((one) => `${one.localName}.${one.className}: ${one.getBoundingClientRect().right}`)
    return [`scrolls: ${roots.map(({ scrollWidth }) => scrollWidth)}`, ...names.slice(0, 12)]
  })
}

/** The pages of the work on a phone, each once it shows what it is for. */
async function* mainPages(page: Page, id: string): AsyncGenerator<string> {
  const shown = async (path: string, heading: string | RegExp) => {
    await page.goto(`/sandbox/${path}`)
    await expect(page.getByRole('heading', { name: heading, level: 1 }).first()).toBeVisible()
    return path
  }
  yield await shown('files', 'Files')
  yield await shown('order', 'New order')
  await page.getByLabel('Choose files').setInputFiles(await tone(2, 'A recording with quite a long name.wav'))
  await expect(payButton(page)).toBeVisible()
  await page.getByRole('radio', { name: /Manual/ }).check()
  yield 'order of a file'
  yield await shown('projects', 'Projects')
  yield await shown('webhooks', 'Webhooks')
  yield await shown(`files/${id}`, 'Shared talk')
  await page.goto(`/sandbox/files/${id}/captions`)
  await expect(page.getByRole('listbox', { name: 'Captions' }).getByRole('option').first()).toBeVisible()
  yield 'captions'
}

for (const size of [16, 20]) {
  test(`no page scrolls sideways on a phone at a font of ${size} px`, async ({ service, sandboxAccount }) => {
    const id = await sample(service, sandboxAccount)
    const args = [...(browserLaunch.args ?? []), `--blink-settings=defaultFontSize=${size}`]
    const browser = await chromium.launch({ ...browserLaunch, args })
    const device = await browser.newContext({ baseURL: service.url.href, viewport: phone, reducedMotion: 'reduce' })
    await storeSession(device, sessionOf(sandboxAccount, 'sandbox'))
    const page = await device.newPage()
    for await (const name of mainPages(page, id)) {
      expect.soft(await findWide(page), name).toEqual([])
      if (name.startsWith('order')) await expectNoAxeFindings(page)
    }
    await browser.close()
  })
}
