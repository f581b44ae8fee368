import { type Browser, chromium } from '@playwright/test'
import { wholeBrowserLaunch } from '../../kit/browser-launch.ts'
import { seedFiles } from '../../kit/seed-files.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { type StoredSession, sessionOf } from '../../kit/stored-session.ts'
import { type BarePages, bareTable, serveBare } from './bare-pages.ts'
import { type LineSpeed, slowLine } from './line.ts'
import { type Bench, type Measurement, median } from './measurement.ts'
import { unlessShort } from './short.ts'
import { transcriptPages } from './transcript-pages.ts'
import { Dashboard } from './transcript-samples.ts'
import { type Awaited, Viewer, type ViewTimes } from './view-times.ts'

/** The list of a busy customer; the bench `files` has ten thousand. */
const files = 200

/** A page of the dashboard, its bare counterpart, and its goals. Milliseconds, kilobytes. */
type Subject = {
  name: string
  /** name of its content: `first rows` */
  content: string
  path: string
  awaited: Awaited
  kept: StoredSession
  bare: { pages: BarePages; path: string; awaited: Awaited }
  goals: {
    kilobytes: number
    words?: number
    slow: number
    slowUsable?: number
    overBare?: { first: number; second: number }
  }
}

const signIn: Subject = {
  name: 'sign-in',
  content: 'field of the key',
  path: '/',
  awaited: { content: 'input', control: 'input' },
  kept: {},
  bare: {
    pages: { '/bare': ['text/html', '<!doctype html><form><input></form>'] },
    path: '/bare',
    awaited: { content: 'input' },
  },
  goals: { kilobytes: 190, slow: 1_800 },
}

async function listOf(service: ServiceProcess): Promise<Subject> {
  const { account, key } = await service.createAccount('live')
  const now = Date.now()
  const samples = Array.from({ length: files }, (_, index) => ({
    name: `Recording ${(index * 7_919) % files}`,
    seconds: 60 + ((index * 37) % 7_200),
    created_at: now - index * 600_000,
  }))
  await seedFiles(service.dataDir, account, 'live', samples)
  const rows = { content: 'a[href*="/live/files/"]', atLeast: 10 }
  return {
    name: 'list',
    content: 'first rows',
    path: '/live/files',
    awaited: { ...rows, control: 'input[type="search"]' },
    kept: sessionOf({ account, key }),
    bare: { pages: await bareTable(), path: '/', awaited: rows },
    goals: { kilobytes: 260, slow: 2_000, slowUsable: 3_000 },
  }
}

async function transcriptOf(samples: Dashboard, hours: number): Promise<Subject> {
  const { id, json } = await samples.sample(hours * 3_600)
  return {
    name: `transcript of ${hours} h`,
    content: 'first text',
    path: new URL(samples.url(id)).pathname,
    awaited: { content: '[role="feed"] p', control: 'button[aria-label="Play"]' },
    kept: samples.kept,
    bare: { pages: transcriptPages(json), path: '/window', awaited: { content: 'main p' } },
    goals: {
      kilobytes: 300,
      words: 170 * hours,
      slow: hours > 1 ? 3_500 : 3_000,
      overBare: { first: 600, second: 450 },
    },
  }
}

type Opened = Pick<Subject, 'path' | 'awaited' | 'kept'>
type Views = { first: ViewTimes; second: ViewTimes }

/** Opens the same URL twice in the same new browser. */
async function viewTwice(browser: Browser, url: URL, subject: Opened, speed: LineSpeed | null): Promise<Views> {
  const viewer = await Viewer.open(browser, url, subject.kept, speed)
  const first = await viewer.view(subject.path, subject.awaited)
  const second = await viewer.view(subject.path, subject.awaited)
  await viewer.close()
  return { first, second }
}

const middle = (all: readonly Views[], view: keyof Views, key: keyof ViewTimes) =>
  median(all.map((one) => one[view][key]))

function quickFigures(
  { name, content, goals }: Subject,
  ours: readonly Views[],
  bare: readonly Views[],
): Measurement[] {
  return (['first', 'second'] as const).flatMap((view): Measurement[] => {
    const floor = middle(bare, view, 'content')
    const over = goals.overBare?.[view]
    const value = middle(ours, view, 'content')
    const goal = over === undefined ? {} : { goal: { atMost: Math.round(floor + over) } }
    return [
      { what: `${name}, quick line, ${view} view: painted`, value: middle(ours, view, 'painted'), unit: 'ms' },
      {
        what: `${name}, quick line, ${view} view: ${content} (bare page ${floor.toFixed(0)})`,
        value,
        unit: 'ms',
        ...goal,
      },
      { what: `${name}, quick line, ${view} view: usable`, value: middle(ours, view, 'usable'), unit: 'ms' },
    ]
  })
}

function slowFigures({ name, content, goals }: Subject, ours: Views, bare: Views): Measurement[] {
  const { first, second } = ours
  const usable = goals.slowUsable === undefined ? {} : { goal: { atMost: goals.slowUsable } }
  return [
    { what: `${name}, slow line: painted`, value: first.painted, unit: 'ms' },
    {
      what: `${name}, slow line: ${content} (bare page ${bare.first.content.toFixed(0)})`,
      value: first.content,
      unit: 'ms',
      goal: { atMost: goals.slow },
    },
    { what: `${name}, slow line: usable`, value: first.usable, unit: 'ms', ...usable },
    { what: `${name}, slow line, second view: ${content}`, value: second.content, unit: 'ms' },
  ]
}

async function benchSubject(browser: Browser, service: URL, subject: Subject, rounds: number): Promise<Measurement[]> {
  const { url, server } = await serveBare(subject.bare.pages, service)
  const ours: Views[] = []
  const bare: Views[] = []
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await viewTwice(browser, url, { ...subject.bare, kept: subject.kept }, null))
    ours.push(await viewTwice(browser, service, subject, null))
  }
  const slowBare = await viewTwice(browser, url, { ...subject.bare, kept: subject.kept }, slowLine)
  const slow = await viewTwice(browser, service, subject, slowLine)
  server.close()
  const kilobytes = (key: 'bytes' | 'wordBytes') => Math.round(middle(ours, 'first', key) / 1_000)
  const { words } = subject.goals
  return [
    {
      what: `${subject.name}: on the wire`,
      value: kilobytes('bytes'),
      unit: 'kB',
      goal: { atMost: subject.goals.kilobytes },
    },
    ...(words === undefined
      ? []
      : [{ what: `${subject.name}: words`, value: kilobytes('wordBytes'), unit: 'kB', goal: { atMost: words } }]),
    ...quickFigures(subject, ours, bare),
    ...slowFigures(subject, slow, slowBare),
  ]
}

/** A click on a row of the list, the usual way to a transcript. */
async function benchPress(browser: Browser, service: URL, subject: Subject, rounds: number): Promise<Measurement[]> {
  const presses: { head: number; content: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const viewer = await Viewer.open(browser, service, subject.kept, null)
    presses.push(await viewer.press('/sandbox/files', `a[href="${subject.path}"]`, subject.awaited.content))
    await viewer.close()
  }
  const of = (key: 'head' | 'content') => median(presses.map((press) => press[key]))
  return [
    { what: `${subject.name}, pressed in the list: head`, value: of('head'), unit: 'ms', goal: { atMost: 200 } },
    {
      what: `${subject.name}, pressed in the list: first text`,
      value: of('content'),
      unit: 'ms',
      goal: { atMost: 400 },
    },
  ]
}

/** `npm run bench -- views`: load times and transfer sizes of the service's pages as built. */
export const benchViews: Bench = async ({ rounds = unlessShort('3', '1'), hours }) => {
  const service = await ServiceProcess.start({ OFFLINE: '1', LOG_LEVEL: 'warn' })
  const browser = await chromium.launch(wholeBrowserLaunch)
  try {
    const { account, key } = await service.createAccount('sandbox')
    const samples = new Dashboard(service, account, key)
    const subjects = [...unlessShort([signIn], []), await listOf(service)]
    const lengths = hours === undefined ? unlessShort([1, 10, 24], [0.2]) : [Number(hours)]
    for (const length of lengths) subjects.push(await transcriptOf(samples, length))
    const results: Measurement[] = []
    for (const subject of subjects) results.push(...(await benchSubject(browser, service.url, subject, Number(rounds))))
    const shortest = subjects.at(-lengths.length)
    if (shortest) results.push(...(await benchPress(browser, service.url, shortest, Number(rounds))))
    return results
  } finally {
    await browser.close()
    await service.remove()
  }
}
