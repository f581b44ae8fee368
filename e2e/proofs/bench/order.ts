import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { hollowWav } from './hollow-wav.ts'
import { type Bench, type Measurement, median } from './measurement.ts'
import { fillTray } from './order-tray.ts'
import { bareUpload, dashboardUpload, type Upload, withBrowser } from './order-uploads.ts'
import { unlessShort } from './short.ts'

/** Recordings of 1 MB: number dropped at once, and number sent of these. */
const dropped = unlessShort(500, 4)
const sent = unlessShort(200, 4)

/** Frees the disk. Empty accounts also mean that no recording is compared with an equal one. */
async function forgetFiles(service: ServiceProcess, key: string): Promise<void> {
  const list = (await (await askApi(service.url, key, 'files')).json()) as { id: string }[]
  for (const { id } of list) await askApi(service.url, key, `file/${id}`, { method: 'DELETE' })
}

/** Bare page and dashboard, interleaved, each in a fresh browser. */
async function compare(service: ServiceProcess, paths: readonly string[], bytes: number, rounds: number) {
  const bare: Upload[] = []
  const dashboard: Awaited<ReturnType<typeof dashboardUpload>>[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const isBare of [true, false]) {
      await withBrowser(service, async (rig) => {
        if (isBare) bare.push(await bareUpload(rig, paths))
        else dashboard.push(await dashboardUpload(rig, paths))
        await forgetFiles(service, rig.key)
      })
    }
  }
  const gigabytes = bytes / 1e9
  const summary = (uploads: readonly Upload[]) => ({
    speed: median(uploads.map(({ seconds }) => (gigabytes * 1_000) / seconds)),
    browserCpu: median(uploads.map(({ browserCpu }) => browserCpu / gigabytes)),
    serviceCpu: median(uploads.map(({ serviceCpu }) => serviceCpu / gigabytes)),
  })
  return { bare: summary(bare), dashboard: summary(dashboard), uploads: dashboard }
}

function describeOne({ bare, dashboard, uploads }: Awaited<ReturnType<typeof compare>>): Measurement[] {
  const most = (pick: (upload: (typeof uploads)[number]) => number) => Math.max(...uploads.map(pick))
  return [
    { what: 'bare page', value: bare.speed, unit: 'MB/s' },
    { what: 'bare page, browser', value: bare.browserCpu, unit: 'CPU s/GB' },
    { what: 'bare page, service', value: bare.serviceCpu, unit: 'CPU s/GB' },
    { what: 'dashboard', value: dashboard.speed, unit: 'MB/s' },
    { what: 'dashboard, browser', value: dashboard.browserCpu, unit: 'CPU s/GB' },
    { what: 'dashboard, service', value: dashboard.serviceCpu, unit: 'CPU s/GB' },
    { what: 'dashboard of bare page, speed', value: dashboard.speed / bare.speed, unit: '', goal: { atLeast: 0.95 } },
    {
      what: 'dashboard of bare page, CPU of the browser',
      value: dashboard.browserCpu / bare.browserCpu,
      unit: '',
      goal: { atMost: 1.15 },
    },
    { what: 'longest task', value: most(({ longTaskMs }) => longTaskMs), unit: 'ms', goal: { atMost: 50 } },
    { what: 'heap growth', value: most(({ growthMb }) => growthMb), unit: 'MB', goal: { atMost: 20 } },
  ]
}

function readSize(size: string): number {
  const match = /^(\d+)(m|g)$/.exec(size)
  if (match === null) throw new Error('--size takes a number of megabytes or gigabytes, as 200m or 2g.')
  return Number(match[1]) * (match[2] === 'g' ? 1_000_000_000 : 1_000_000)
}

/**
 * Uploads from the dashboard in Chromium against a bare page with one XMLHttpRequest per file, interleaved, to the real
 * service; and a folder of 500 recordings. `--size 2g` as a number of megabytes or gigabytes, `--rounds 3`.
 */
export const benchOrder: Bench = async ({ size = unlessShort('2g', '20m'), rounds = unlessShort('3', '1') }) => {
  const bytes = readSize(size)
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  // An engine that is never available: recognition must not use the processor while uploads are measured.
  const service = await ServiceProcess.start({ RECOGNIZER: 'sherpa', OFFLINE: '1' })
  try {
    const big = await hollowWav(join(directory, 'big.wav'), bytes, 0)
    const small: string[] = []
    for (let index = 0; index < dropped; index += 1) {
      small.push(await hollowWav(join(directory, `small-${index}.wav`), 1_000_000, index + 1))
    }
    const inTray = await withBrowser(service, (rig) => fillTray(rig, small))
    const one = await compare(service, [big], bytes, Number(rounds))
    const many = await compare(service, small.slice(0, sent), sent * 1e6, Number(rounds))
    return [
      ...inTray,
      ...describeOne(one),
      { what: `${sent} × 1 MB, bare page`, value: many.bare.speed, unit: 'MB/s' },
      {
        what: `${sent} × 1 MB, dashboard of bare page`,
        value: many.dashboard.speed / many.bare.speed,
        unit: '',
        goal: { atLeast: 0.9 },
      },
    ]
  } finally {
    await service.remove()
    await rm(directory, { recursive: true })
  }
}
