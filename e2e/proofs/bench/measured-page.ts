import type { Browser, CDPSession, Page } from '@playwright/test'
import { type StoredSession, storeSession } from '../../kit/stored-session.ts'

/** A page with the browser's own performance metrics. */
export class MeasuredPage {
  readonly page: Page
  readonly #session: CDPSession
  readonly #browser: CDPSession

  private constructor(page: Page, session: CDPSession, browser: CDPSession) {
    this.page = page
    this.#session = session
    this.#browser = browser
  }

  static async open(browser: Browser, stored: StoredSession = {}): Promise<MeasuredPage> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await storeSession(context, stored)
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    // Processor time of the thread, not wall-clock time: other work on the machine does not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    return new MeasuredPage(page, session, await browser.newBrowserCDPSession())
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }

  /** CPU time of all pages' processes so far, workers included. Milliseconds. */
  async cpuMs(): Promise<number> {
    const { processInfo } = await this.#browser.send('SystemInfo.getProcessInfo')
    const pages = processInfo.filter(({ type }) => type === 'renderer')
    return pages.reduce((sum, { cpuTime }) => sum + cpuTime * 1_000, 0)
  }

  /** Processor time of the main thread's tasks so far. Milliseconds. */
  async mainThreadMs(): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
  }

  /** Heap retained after a garbage collection: objects and array buffers. Megabytes. */
  async heapMb(): Promise<number> {
    await this.#session.send('HeapProfiler.collectGarbage')
    const usage = (await this.#session.send('Runtime.getHeapUsage')) as {
      usedSize: number
      backingStorageSize?: number
    }
    return (usage.usedSize + (usage.backingStorageSize ?? 0)) / 1_000_000
  }

  elements(): Promise<number> {
    return this.page.evaluate(() => document.querySelectorAll('*').length)
  }

  /** Milliseconds from scrolling an element to its end until that is painted. */
  jumpToEndMs(selector: string): Promise<number> {
    return this.page.evaluate(async (wanted) => {
      const scroller = document.querySelector(wanted) as HTMLElement
      const start = performance.now()
      scroller.scrollTop = scroller.scrollHeight
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      return performance.now() - start
    }, selector)
  }
}
