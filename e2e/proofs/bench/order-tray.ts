import type { Measurement } from './measurement.ts'
import { openOrder, type Rig, readyToPay } from './order-uploads.ts'

type Watched = { usable: Promise<number>; delays: number[] }

/** Records when a row can be selected after files were chosen, and how long each interaction took to be painted. */
function watch(): void {
  const delays: number[] = []
  const observer = new PerformanceObserver((list) => delays.push(...list.getEntries().map(({ duration }) => duration)))
  observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  const usable = new Promise<number>((resolve) => {
    document.addEventListener('change', ({ timeStamp }) => void look(timeStamp), { once: true, capture: true })
    const frame = () => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))
    async function look(chosenAt: number) {
      const box = () => document.querySelectorAll<HTMLInputElement>('tbody input[type=checkbox]').item(2)
      while (box() === null) await frame()
      box().click()
      while (!box().checked) await frame()
      await frame()
      resolve(performance.now() - chosenAt)
    }
  })
  Object.assign(window, { watched: { usable, delays } satisfies Watched })
}

/**
 * Hundreds of recordings at once: when the tray becomes usable, and its responsiveness while the files are being read.
 */
export async function fillTray(rig: Rig, paths: readonly string[]): Promise<Measurement[]> {
  const { page } = rig
  await openOrder(rig)
  await page.evaluate(watch)
  const startedAt = await page.evaluate(() => performance.now())
  await page.getByLabel('Choose files').setInputFiles([...paths])
  const usableMs = await page.evaluate(() => (window as unknown as { watched: Watched }).watched.usable)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('checkbox', { name: 'Select all' }).uncheck()
  await page.getByRole('radio', { name: /Manual/ }).check()
  await page.getByRole('radio', { name: /Automated/ }).check()
  await readyToPay(page)
  const readMs = (await page.evaluate(() => performance.now())) - startedAt
  const delays = await page.evaluate(() => (window as unknown as { watched: Watched }).watched.delays)
  const files = `${paths.length} files`
  return [
    { what: `${files}: a row selected after`, value: usableMs, unit: 'ms', goal: { atMost: 1_000 } },
    { what: `${files}: all read after`, value: readMs, unit: 'ms' },
    { what: `${files}: slowest interaction`, value: Math.max(0, ...delays), unit: 'ms', goal: { atMost: 200 } },
  ]
}
