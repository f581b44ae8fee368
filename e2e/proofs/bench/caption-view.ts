import type { Browser, Page } from '@playwright/test'
import { openCaptions } from '../../kit/transcript-tasks.ts'
import { mainThreadFrames } from './frame-times.ts'
import { MeasuredPage } from './measured-page.ts'
import type { Measurement } from './measurement.ts'
import { unlessShort } from './short.ts'
import type { Dashboard } from './transcript-samples.ts'

const frames = unlessShort(240, 20)

/** Scrolls three and a half rows per frame. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async (count) => {
    const list = document.querySelector('[role="listbox"]')?.parentElement as HTMLElement
    for (let frame = 0; frame < count; frame += 1) {
      list.scrollTop += 224
      await new Promise(requestAnimationFrame)
    }
  }, frames)
}

/** Drags the end of the first caption back and forth, and leaves it unchanged. */
async function pullEdge(page: Page): Promise<void> {
  const box = await page.getByRole('slider', { name: 'Caption ends' }).boundingBox()
  const [x, y] = [(box?.x ?? 0) + 6, (box?.y ?? 0) + 20]
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let step = 1; step <= frames / 2; step += 1) await page.mouse.move(x - (step % 40), y)
  await page.mouse.move(x, y)
  await page.mouse.up()
}

/** Types in the first caption, and gives it up. */
async function type(page: Page): Promise<void> {
  await page.keyboard.type('some words more '.repeat(Math.ceil(frames / 16)))
  await page.keyboard.press('Escape')
}

const p95 = (times: number[]): number =>
  times.sort((one, two) => one - two)[Math.floor(times.length * 0.95)] ?? Number.NaN

/** Costs of a transcript's captions: scrolling, dragging an edge, and typing. */
export async function captionView(
  browser: Browser,
  dashboard: Dashboard,
  id: string,
  of: string,
): Promise<Measurement[]> {
  const measured = await MeasuredPage.open(browser, dashboard.kept)
  const { page } = measured
  await page.goto(dashboard.url(id))
  await openCaptions(page)
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  const count = Number(await page.getByRole('listbox').getByRole('option').first().getAttribute('aria-setsize'))
  const what = (name: string) => `${of}, ${count} captions: ${name}`
  const pulled = p95(await mainThreadFrames(browser, () => pullEdge(page)))
  await page.getByRole('listbox').focus()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Text of this caption' }).press('End')
  const typed = p95(await mainThreadFrames(browser, () => type(page)))
  const scrolled = p95(await mainThreadFrames(browser, () => scrollThrough(page)))
  const elements = await measured.elements()
  await measured.close()
  return [
    { what: what('scroll, main thread a frame, p95'), value: scrolled, unit: 'ms', goal: { atMost: 8 } },
    { what: what('edge pulled, main thread a frame, p95'), value: pulled, unit: 'ms', goal: { atMost: 16 } },
    { what: what('typing, main thread a frame, p95'), value: typed, unit: 'ms', goal: { atMost: 16 } },
    { what: what('elements'), value: elements, unit: '', goal: { atMost: 3_000 } },
  ]
}
