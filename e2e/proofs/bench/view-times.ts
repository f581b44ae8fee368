import type { Browser, BrowserContext } from '@playwright/test'
import { type StoredSession, storeSession } from '../../kit/stored-session.ts'
import { Line, type LineSpeed } from './line.ts'
import { unlessShort } from './short.ts'

/** What to wait for, by selectors: enough elements with content, and one hydrated by React. */
export type Awaited = { content: string; atLeast?: number; control?: string }

/** Milliseconds from navigation; NaN if nothing was awaited. Bytes are all downstream bytes. */
export type ViewTimes = { painted: number; content: number; usable: number; bytes: number; wordBytes: number }

/** Runs in the page before its scripts. */
function noteTimes({ content, atLeast = 1, control }: Awaited): void {
  const times = { content: Number.NaN, usable: Number.NaN }
  Object.assign(window, { viewTimes: times })
  const isShown = () => {
    const found = document.querySelectorAll<HTMLElement>(content)
    return found.length >= atLeast && (found[atLeast - 1]?.matches('input') || found[atLeast - 1]?.innerText !== '')
  }
  const isUsable = () => {
    const element = control === undefined ? document.body : document.querySelector(control)
    return (
      element !== null && (control === undefined || Object.keys(element).some((key) => key.startsWith('__reactProps')))
    )
  }
  const look = () => {
    if (Number.isNaN(times.content) && isShown()) times.content = performance.now()
    if (!Number.isNaN(times.content) && isUsable()) times.usable = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** A browser with an empty cache, on a separate line. */
export class Viewer {
  readonly line: Line
  readonly #context: BrowserContext
  readonly #slowdown: number

  private constructor(line: Line, context: BrowserContext, slowdown: number) {
    this.line = line
    this.#context = context
    this.#slowdown = slowdown
  }

  /**
   * @param kept the session of each tab
   * @param speed a slow line also throttles the CPU to a quarter; null is unthrottled loopback
   */
  static async open(browser: Browser, target: URL, kept: StoredSession, speed: LineSpeed | null) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await storeSession(context, kept)
    return new Viewer(await Line.to(target, speed), context, speed === null ? 1 : unlessShort(4, 1))
  }

  /** Opens a URL in a new tab. Further views by the same viewer have a warm cache. */
  async view(path: string, awaited: Awaited): Promise<ViewTimes> {
    const page = await this.#context.newPage()
    await page.addInitScript(noteTimes, awaited)
    const session = await this.#context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: this.#slowdown })
    const before = { ...this.line.downBytes }
    await page.goto(this.line.url(path), { waitUntil: 'commit' })
    await page.waitForFunction(
      () => {
        const { viewTimes } = window as unknown as { viewTimes?: { usable: number } }
        return viewTimes !== undefined && !Number.isNaN(viewTimes.usable)
      },
      undefined,
      { polling: 250, timeout: 120_000 },
    )
    await this.line.quiet()
    const times = await page.evaluate(() => {
      const { viewTimes } = window as unknown as { viewTimes: { content: number; usable: number } }
      const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN
      return { ...viewTimes, painted }
    })
    const { page: pageBytes, words } = this.line.downBytes
    await page.close()
    return { ...times, bytes: pageBytes - before.page, wordBytes: words - before.words }
  }

  /**
   * Clicks a link to a transcript once its page is idle.
   * @returns milliseconds from the click until the transcript's head and its text are visible
   */
  async press(path: string, link: string, content: string): Promise<{ head: number; content: number }> {
    const page = await this.#context.newPage()
    await page.goto(this.line.url(path))
    await page.waitForSelector(link)
    await this.line.quiet()
    const times = page.evaluate(async (wanted) => {
      const event = await new Promise<Event>((pressed) =>
        document.addEventListener('click', pressed, { capture: true, once: true }),
      )
      const since = async (selector: string) => {
        while (!document.querySelector<HTMLElement>(selector)?.innerText) await new Promise(requestAnimationFrame)
        return performance.now() - event.timeStamp
      }
      const [head, text] = await Promise.all([since('h1[title]'), since(wanted)])
      return { head, content: text }
    }, content)
    await page.click(link)
    const pressed = await times
    await page.close()
    return pressed
  }

  async close(): Promise<void> {
    await this.#context.close()
    await this.line.close()
  }
}
