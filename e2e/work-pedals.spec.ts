import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.ts'
import { takeNext, workPage } from './staff-page.ts'
import { hire, orderTyping } from './staff-work.ts'

type Stub = { press: (bits: number) => void; plug: () => void; unplug: () => void; asked: number }
declare global {
  var pedal: Stub
}

/** Puts a foot pedal (Infinity's numbers, a byte of switches) in place of the browser's devices. */
function stubPedal(): void {
  const hid = new EventTarget()
  const opened = new EventTarget()
  const told = { vendorId: 0x05f3, productId: 0x00ff, productName: 'Infinity Foot Pedal', collections: [] }
  const device = Object.assign(opened, told, { opened: false, open: async () => {}, close: async () => {} })
  let [isChosen, isPlugged] = [false, true]
  const devices = () => (isChosen && isPlugged ? [device] : [])
  const tell = (type: string) => hid.dispatchEvent(Object.assign(new Event(type), { device }))
  globalThis.pedal = {
    asked: 0,
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
    // Who closes the browser's dialog has chosen nothing.
    isChosen = globalThis.pedal.asked > 1
    return devices()
  }
  const value = Object.assign(hid, { getDevices: async () => devices(), requestDevice })
  Object.defineProperty(navigator, 'hid', { value, configurable: true })
}

const press = (page: Page, bits: number) => page.evaluate((down) => globalThis.pedal.press(down), bits)
const [rewind, play] = [1, 2]

test('a foot pedal that sends no keys plays while it is down, goes back, and says when it was pulled out', async ({
  browser,
  service,
}) => {
  const key = await hire(service, 'Pia', 'typist')
  await orderTyping(service)
  const page = await workPage(browser, service, key, stubPedal)
  await takeNext(page, 'Type')
  const panel = page.getByRole('complementary', { name: 'Instructions' })
  const connect = panel.getByRole('button', { name: 'Connect a pedal' })
  await connect.click()
  expect(await page.evaluate(() => globalThis.pedal.asked)).toBe(1)
  await connect.press('Enter')
  await expect(panel.getByText('Infinity Foot Pedal: sound plays while the pedal is down')).toBeVisible()
  const player = page.getByRole('region', { name: 'Player' })
  const isPlaying = player.getByRole('button', { name: 'Pause' })
  await press(page, play)
  await expect(isPlaying).toBeVisible()
  // Another report with the same switches, as some pedals send them, is no new press.
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
  await page.context().close()
})
