import { type CDPSession, chromium, type Page } from '@playwright/test'
import { authorization } from '../../../src/service/testing/ask-api.ts'
import type { ServiceProcess } from '../../kit/service-process.ts'
import { signIn, signInPage } from '../../kit/sign-in.ts'
import config from '../../playwright.config.ts'
import { cpuSeconds } from './process-tree.ts'

/** A fresh browser and a fresh account. */
export type Rig = { service: ServiceProcess; devTools: CDPSession; page: Page; key: string }

/** `seconds` from the click on the button, or the call, until the last response; by the page's clock. */
export type Upload = { seconds: number; browserCpu: number; serviceCpu: number }

export async function withBrowser<Result>(
  service: ServiceProcess,
  work: (rig: Rig) => Promise<Result>,
): Promise<Result> {
  // Not by `connect`: that would copy each file to the browser, as if it were remote.
  const browser = await chromium.launch({ ...config.use?.launchOptions })
  try {
    const { key } = await service.createAccount()
    return await work({ service, devTools: await browser.newBrowserCDPSession(), page: await browser.newPage(), key })
  } finally {
    await browser.close()
  }
}

/** Processor seconds of all browser processes, as it reports them. */
async function browserCpuSeconds(devTools: CDPSession): Promise<number> {
  const { processInfo } = await devTools.send('SystemInfo.getProcessInfo')
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

async function measured({ devTools, service }: Rig, work: () => Promise<number>): Promise<Upload> {
  const [browserBefore, serviceBefore] = [await browserCpuSeconds(devTools), cpuSeconds(service.pid)]
  const ms = await work()
  return {
    seconds: ms / 1_000,
    browserCpu: (await browserCpuSeconds(devTools)) - browserBefore,
    serviceCpu: cpuSeconds(service.pid) - serviceBefore,
  }
}

/** The baseline: a page with nothing but a file input and the same XMLHttpRequest, two at a time. */
export async function bareUpload(rig: Rig, paths: readonly string[]): Promise<Upload> {
  const { page, service, key } = rig
  // Same origin as the service, but without its CSP: its non-page responses may make no requests.
  const address = new URL('/bare', service.url).href
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '<input type=file multiple>' }))
  await page.goto(address)
  await page.unroute(address)
  await page.locator('input').setInputFiles([...paths])
  return await measured(rig, () =>
    page.evaluate(async (authorization) => {
      const files = [...(document.querySelector('input')?.files ?? [])]
      const post = (file: File) =>
        new Promise<XMLHttpRequest>((resolve, reject) => {
          const xhr = new XMLHttpRequest()
          const form = new FormData()
          form.append('file', file, file.name)
          xhr.upload.onprogress = () => undefined
          xhr.onload = () => resolve(xhr)
          xhr.onerror = () => reject(new Error('no answer'))
          xhr.open('POST', '/v1/files?transcript_type=automated')
          xhr.setRequestHeader('Authorization', authorization)
          xhr.send(form)
        })
      const send = async (file: File): Promise<void> => {
        const { status, responseText } = await post(file)
        if (status === 201) return
        if (status !== 429) throw new Error(`${status} ${responseText}`)
        // Two short uploads in a row can exceed a key's rate limit; the service asks for a second.
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        await send(file)
      }
      const work = async () => {
        for (let file = files.shift(); file !== undefined; file = files.shift()) await send(file)
      }
      const startedAt = performance.now()
      await Promise.all([work(), work()])
      return performance.now() - startedAt
    }, authorization(key)),
  )
}

export async function openOrder({ page, service, key }: Rig): Promise<void> {
  await signIn(page, key, { at: signInPage(service) })
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Automated/ }).check()
}

/** Waits for the pay button, which appears once everything is read. */
export async function readyToPay(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Upload and (pay|order) .*\d/, disabled: false }).waitFor({ timeout: 60_000 })
}

type Watched = { longTasks: number[]; ordered: Promise<number> }

/**
 * Records long tasks, and when the page reports that all is ordered: in the page, unaffected by the driver's polling.
 */
function watch(done: string): void {
  const longTasks: number[] = []
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  })
  const ordered = new Promise<number>((resolve) => {
    let startedAt = Number.NaN
    const start = ({ timeStamp }: Event) => {
      startedAt = timeStamp
    }
    document.addEventListener('click', start, { once: true, capture: true })
    const observer = new MutationObserver(() => {
      if (document.querySelector('[aria-label=Order] header p')?.textContent?.includes(done) !== true) return
      observer.disconnect()
      resolve(performance.now() - startedAt)
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  Object.assign(window, { watched: { longTasks, ordered } satisfies Watched })
}

/** An upload through the production dashboard, with the page's long tasks and heap growth. */
export async function dashboardUpload(rig: Rig, paths: readonly string[]) {
  const { page } = rig
  await openOrder(rig)
  await page.getByLabel('Choose files').setInputFiles([...paths])
  await readyToPay(page)
  await page.evaluate(watch, paths.length === 1 ? '1 file in this order' : `${paths.length} files in this order`)
  const devTools = await page.context().newCDPSession(page)
  const heapMb = async () => {
    await devTools.send('HeapProfiler.collectGarbage')
    return (await devTools.send('Runtime.getHeapUsage')).usedSize / 1e6
  }
  const heapBefore = await heapMb()
  const upload = await measured(rig, async () => {
    await page.getByRole('button', { name: /^Upload and (pay|order) / }).click()
    return await page.evaluate(() => (window as unknown as { watched: Watched }).watched.ordered)
  })
  const growthMb = (await heapMb()) - heapBefore
  const longTasks = await page.evaluate(() => (window as unknown as { watched: Watched }).watched.longTasks)
  return { ...upload, growthMb, longTaskMs: Math.max(0, ...longTasks) }
}
