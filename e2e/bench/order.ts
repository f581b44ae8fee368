import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserServer, chromium, type Page } from '@playwright/test'
import config from '../playwright.config.ts'
import { ServiceProcess } from '../service-process.ts'
import { hollowWav } from './hollow-wav.ts'
import { type Bench, type Measurement, median } from './measurement.ts'
import { cpuSeconds } from './process-tree.ts'

const faultyService = join(import.meta.dirname, '../service-with-faults.ts')
type Run = { seconds: number; cpu: number }
type Rig = { service: ServiceProcess; server: BrowserServer; page: Page; key: string }

async function withBrowser<Result>(service: ServiceProcess, work: (rig: Rig) => Promise<Result>): Promise<Result> {
  const server = await chromium.launchServer({ ...config.use?.launchOptions })
  try {
    const browser = await chromium.connect(server.wsEndpoint())
    const { key } = await service.createAccount()
    return await work({ service, server, page: await browser.newPage(), key })
  } finally {
    await server.close()
  }
}

async function measured({ server }: Rig, work: () => Promise<void>): Promise<Run> {
  const pid = server.process().pid ?? 0
  const [startedAt, cpuBefore] = [performance.now(), cpuSeconds(pid)]
  await work()
  return { seconds: (performance.now() - startedAt) / 1_000, cpu: cpuSeconds(pid) - cpuBefore }
}

/** The floor: a page with nothing but a file input and the same XMLHttpRequest, two at a time. */
async function bareUpload(rig: Rig, paths: readonly string[]): Promise<Run> {
  const { page, service, key } = rig
  await page.goto(new URL('/healthz', service.url).href)
  await page.evaluate(() => {
    const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true })
    document.body.append(input)
  })
  await page.locator('input').setInputFiles([...paths])
  return await measured(rig, () =>
    page.evaluate(
      async (authorization) => {
        const files = [...(document.querySelector('input')?.files ?? [])]
        const send = (file: File) =>
          new Promise<void>((resolve, reject) => {
            const xhr = new XMLHttpRequest()
            const form = new FormData()
            form.append('file', file, file.name)
            xhr.upload.onprogress = () => undefined
            xhr.onload = () => (xhr.status === 201 ? resolve() : reject(new Error(`${xhr.status} ${xhr.responseText}`)))
            xhr.onerror = () => reject(new Error('no answer'))
            xhr.open('POST', '/v1/files?transcript_type=automated')
            xhr.setRequestHeader('Authorization', authorization)
            xhr.send(form)
          })
        const work = async () => {
          for (let file = files.shift(); file !== undefined; file = files.shift()) await send(file)
        }
        await Promise.all([work(), work()])
      },
      `Basic ${btoa(`${key}:`)}`,
    ),
  )
}

async function openOrder({ page, service, key }: Rig): Promise<void> {
  await page.goto(new URL('/sign-in', service.url).href)
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('link', { name: 'New order' }).first().click()
  await page.getByRole('radio', { name: /Automated/ }).check()
}

const payButton = (page: Page) => page.getByRole('button', { name: /^Upload and (pay|order) .*\d/ })

/** Long tasks of the page and the growth of its heap while the dashboard uploads. */
async function dashboardUpload(rig: Rig, paths: readonly string[]) {
  const { page } = rig
  await openOrder(rig)
  await page.getByLabel('Choose files').setInputFiles([...paths])
  const pay = payButton(page)
  await pay.and(page.locator(':enabled')).waitFor({ timeout: 60_000 })
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(window, { longTasks: tasks })
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    })
  })
  const devTools = await page.context().newCDPSession(page)
  const heapMb = async () => {
    await devTools.send('HeapProfiler.collectGarbage')
    return (await devTools.send('Runtime.getHeapUsage')).usedSize / 1e6
  }
  const heapBefore = await heapMb()
  const run = await measured(rig, async () => {
    await pay.click()
    const done = paths.length === 1 ? '1 file ordered' : `${paths.length} files ordered`
    await page.getByRole('region', { name: 'Uploads' }).getByText(done).waitFor({ timeout: 300_000 })
  })
  const growthMb = (await heapMb()) - heapBefore
  const longTasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks)
  return { ...run, growthMb, longTaskMs: Math.max(0, ...longTasks) }
}

async function forgetFiles(service: ServiceProcess, key: string): Promise<void> {
  const headers = { authorization: `Basic ${btoa(`${key}:`)}` }
  const list = (await (await fetch(new URL('v1/files', service.url), { headers })).json()) as { id: string }[]
  for (const { id } of list) await fetch(new URL(`v1/file/${id}`, service.url), { method: 'DELETE', headers })
}

async function compare(service: ServiceProcess, paths: readonly string[], bytes: number, rounds: number) {
  const bare: Run[] = []
  const dashboard: Awaited<ReturnType<typeof dashboardUpload>>[] = []
  for (let round = 0; round < rounds; round += 1) {
    bare.push(
      await withBrowser(service, async (rig) => {
        const run = await bareUpload(rig, paths)
        await forgetFiles(service, rig.key)
        return run
      }),
    )
    dashboard.push(
      await withBrowser(service, async (rig) => {
        const run = await dashboardUpload(rig, paths)
        await forgetFiles(service, rig.key)
        return run
      }),
    )
  }
  const speed = (runs: readonly Run[]) => median(runs.map(({ seconds }) => bytes / 1e6 / seconds))
  const cpu = (runs: readonly Run[]) => median(runs.map((run) => run.cpu / (bytes / 1e9)))
  return {
    bareSpeed: speed(bare),
    speed: speed(dashboard),
    bareCpu: cpu(bare),
    cpu: cpu(dashboard),
    growthMb: Math.max(...dashboard.map((run) => run.growthMb)),
    longTaskMs: Math.max(...dashboard.map((run) => run.longTaskMs)),
  }
}

async function dropMany(service: ServiceProcess, paths: readonly string[]): Promise<Measurement[]> {
  return await withBrowser(service, async (rig) => {
    const { page } = rig
    await openOrder(rig)
    await page.evaluate(() => {
      const delays: number[] = []
      Object.assign(window, { delays })
      const observer = new PerformanceObserver((list) =>
        delays.push(...list.getEntries().map(({ duration }) => duration)),
      )
      observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
      document.addEventListener('change', () => performance.mark('chosen'), { once: true, capture: true })
    })
    await page.getByLabel('Choose files').setInputFiles([...paths])
    const box = page.getByRole('row').nth(3).getByRole('checkbox')
    await box.check()
    const usableMs = await page.evaluate(
      () => performance.now() - (performance.getEntriesByName('chosen')[0]?.startTime ?? Number.NaN),
    )
    await box.uncheck()
    await page.getByRole('radio', { name: /Manual/ }).check()
    await page.getByRole('radio', { name: /Automated/ }).check()
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('checkbox', { name: 'Select all' }).uncheck()
    await payButton(page).and(page.locator(':enabled')).waitFor({ timeout: 60_000 })
    const readMs = await page.evaluate(
      () => performance.now() - (performance.getEntriesByName('chosen')[0]?.startTime ?? Number.NaN),
    )
    const delays = await page.evaluate(() => (window as unknown as { delays: number[] }).delays)
    return [
      { what: '500 files: a row selected after', value: usableMs, unit: 'ms', goal: { atMost: 1_000 } },
      { what: '500 files: all read after', value: readMs, unit: 'ms' },
      { what: '500 files: slowest interaction', value: Math.max(0, ...delays), unit: 'ms', goal: { atMost: 200 } },
    ]
  })
}

/**
 * Uploads from the dashboard in Chromium against a bare page with the same XMLHttpRequest, in turns, to the real
 * service; and a folder of 500 recordings. `--size 2g` as a number of megabytes or gigabytes, `--rounds 3`.
 */
export const benchOrder: Bench = async ({ size = '2g', rounds = '3' }) => {
  const match = /^(\d+)(m|g)$/.exec(size)
  if (match === null) throw new Error('--size takes a number of megabytes or gigabytes, as 200m or 2g.')
  const bytes = Number(match[1]) * (match[2] === 'g' ? 1_000_000_000 : 1_000_000)
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  // Without an account interface the dashboard sends all sizes by the one XMLHttpRequest, as the bare page does.
  const service = await ServiceProcess.start({ RECOGNISER: 'sherpa', OFFLINE: '1' }, faultyService)
  try {
    const big = await hollowWav(join(directory, 'big.wav'), bytes, 0)
    const small: string[] = []
    for (let index = 0; index < 500; index += 1) {
      small.push(await hollowWav(join(directory, `small-${index}.wav`), 1_000_000, index + 1))
    }
    const dropped = await dropMany(service, small)
    await fetch(new URL('/faults', service.url), { method: 'PUT', body: JSON.stringify({ noAccount: true }) })
    const one = await compare(service, [big], bytes, Number(rounds))
    const many = await compare(service, small.slice(0, 200), 200e6, 1)
    return [
      ...dropped,
      { what: 'bare page', value: one.bareSpeed, unit: 'MB/s' },
      { what: 'bare page', value: one.bareCpu, unit: 'CPU s/GB' },
      { what: 'dashboard of bare page, speed', value: one.speed / one.bareSpeed, unit: '', goal: { atLeast: 0.95 } },
      { what: 'dashboard of bare page, CPU', value: one.cpu / one.bareCpu, unit: '', goal: { atMost: 1.15 } },
      { what: 'longest task', value: one.longTaskMs, unit: 'ms', goal: { atMost: 50 } },
      { what: 'heap growth', value: one.growthMb, unit: 'MB', goal: { atMost: 20 } },
      { what: '200 × 1 MB, bare page', value: many.bareSpeed, unit: 'MB/s' },
      { what: '200 × 1 MB of bare page', value: many.speed / many.bareSpeed, unit: '', goal: { atLeast: 0.9 } },
    ]
  } finally {
    await service.remove()
    await rm(directory, { recursive: true })
  }
}
