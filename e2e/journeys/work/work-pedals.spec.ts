import { expect, type Page } from '@playwright/test'
import { takeNext, workPage } from '../../kit/staff-page.ts'
import { orderTyping, test } from '../../kit/staff-work.ts'

type Stub = { press: (bits: number) => void; plug: () => void; unplug: () => void; asked: number; listeners: number }
declare global {
  var pedal: Stub
}

/** Stubs the browser's HID devices with a foot pedal (Infinity's ids, one byte of switches). */
function stubPedal(): void {
  const hid = new EventTarget()
  const opened = new EventTarget()
  const told = { vendorId: 0x05f3, productId: 0x00ff, productName: 'Infinity Foot Pedal', collections: [] }
  const device = Object.assign(opened, told, { opened: false, open: async () => {}, close: async () => {} })
  let [isChosen, isPlugged] = [false, true]
  const listen = device.addEventListener.bind(device)
  device.addEventListener = (type: string, ...how: [EventListener]) => {
    if (type === 'inputreport') globalThis.pedal.listeners += 1
    listen(type, ...how)
  }
  const devices = () => (isChosen && isPlugged ? [device] : [])
  const tell = (type: string) => hid.dispatchEvent(Object.assign(new Event(type), { device }))
  globalThis.pedal = {
    asked: 0,
    listeners: 0,
    press: (bits) => {
      const data = new DataView(Uint8Array.of(bits, 0).buffer)
      device.dispatchEvent(Object.assign(new Event('inputreport'), { device, reportId: 0, data }))
    },
    plug: () => {
      isPlugged = true
      tell('connect')
    },
    unplug: () => {
      isPlugged = false
      tell('disconnect')
    },
  }
  const requestDevice = async () => {
    globalThis.pedal.asked += 1
    // Closing the browser's dialog selects nothing; a page without permission gets an error.
    if (globalThis.pedal.asked === 2) throw new DOMException('Access is refused.', 'SecurityError')
    isChosen = globalThis.pedal.asked > 2
    return devices()
  }
  const value = Object.assign(hid, { getDevices: async () => devices(), requestDevice })
  Object.defineProperty(navigator, 'hid', { value, configurable: true })
}

const press = (page: Page, bits: number) => page.evaluate((down) => globalThis.pedal.press(down), bits)
const [rewind, play] = [1, 2]
/** See `pedal-actions.ts`. */
const windsEveryMs = 100

/** Delays of the timers that the page sets within `ms` milliseconds. */
function timersWithin(page: Page, ms: number): Promise<number[]> {
  return page.evaluate(async (durationMs) => {
    const waits: number[] = []
    const { setTimeout: set } = window
    const counted = (run: TimerHandler, waitMs = 0) => {
      waits.push(waitMs)
      return set(run, waitMs)
    }
    window.setTimeout = counted as typeof window.setTimeout
    await new Promise((resolve) => set(resolve, durationMs))
    window.setTimeout = set
    return waits
  }, ms)
}

test('a foot pedal without key events plays while it is down, goes back, and reports when it is unplugged', {
  tag: '@slow',
}, async ({ browser, service }) => {
  const { key } = JSON.parse(await service.parley('staff', 'add', 'Pia', '--role', 'typist'))
  await orderTyping(service)
  const page = await workPage(browser, service, key, stubPedal)
  await takeNext(page, 'Type')
  const panel = page.getByRole('complementary', { name: 'Instructions' })
  const connect = panel.getByRole('button', { name: 'Connect a pedal' })
  await connect.click()
  // Its code is loaded first.
  await expect.poll(() => page.evaluate(() => globalThis.pedal.asked)).toBe(1)
  await connect.press('Enter')
  await expect(panel.getByText('The pedal cannot be used: Access is refused.')).toBeVisible()
  await connect.press('Enter')
  await expect(panel.getByText('Infinity Foot Pedal: sound plays while the pedal is down')).toBeVisible()
  const player = page.getByRole('region', { name: 'Player' })
  const isPlaying = player.getByRole('button', { name: 'Pause' })
  await press(page, play)
  await expect(isPlaying).toBeVisible()
  // A second listener would act twice on each report.
  expect(await page.evaluate(() => globalThis.pedal.listeners)).toBe(1)
  // A repeated report with the same switches, as some pedals send it, is not a new press.
  await press(page, play)
  await expect(isPlaying).toBeVisible()
  await press(page, 0)
  await expect(player.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  const position = player.getByRole('slider', { name: /Position/ })
  await position.press('End')
  await press(page, rewind)
  await expect.poll(async () => Number(await position.getAttribute('aria-valuenow'))).toBe(0)
  await press(page, 0)

  await page.evaluate(() => globalThis.pedal.unplug())
  await expect(panel.getByText('The pedal is not plugged in any more.')).toBeVisible()
  await page.evaluate(() => globalThis.pedal.plug())
  await expect(panel.getByText('Infinity Foot Pedal: sound plays')).toBeVisible()
  await press(page, play)
  await expect(isPlaying).toBeVisible()
  await press(page, rewind)
  await page.getByRole('button', { name: 'Give back' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Give back' }).click()
  await expect(page.getByRole('heading', { name: 'Queue' })).toBeVisible()
  // A pedal held down stops winding.
  expect(await timersWithin(page, 500)).not.toContain(windsEveryMs)
  await page.context().close()
})
