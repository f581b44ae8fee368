import type { Browser, CDPSession } from '@playwright/test'

/** The trace event fields used. Times in microseconds, `tdur` in processor time. */
type TraceEvent = { name: string; pid: number; tid: number; ts: number; dur?: number; tdur?: number }

/** The browser's trace of its threads while `run` is in progress. */
async function traced(session: CDPSession, run: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel', 'cc'] } })
  await run()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  return events
}

/** The thread on which most frames begin: the page's main thread. */
function mainThreadOf(frames: readonly TraceEvent[]): (event: TraceEvent) => boolean {
  const counts = Map.groupBy(frames, ({ pid, tid }) => `${pid} ${tid}`)
  const [most] = [...counts].sort(([, one], [, two]) => two.length - one.length)
  return ({ pid, tid }) => `${pid} ${tid}` === most?.[0]
}

/**
 * Processor time of the page's main thread in each frame while `run` is in progress: scripts, style, layout, painting
 * and everything else, without preemption by other threads and programs. Milliseconds.
 */
export async function mainThreadFrames(browser: Browser, run: () => Promise<void>): Promise<number[]> {
  const session = await browser.newBrowserCDPSession()
  const events = await traced(session, run)
  await session.detach()
  const frames = events.filter(({ name, dur }) => name === 'ProxyMain::BeginMainFrame' && dur !== undefined)
  const isMain = mainThreadOf(frames)
  const begins = frames
    .filter(isMain)
    .map(({ ts }) => ts)
    .sort((one, two) => one - two)
  const tasks = events.filter((event) => event.name === 'ThreadControllerImpl::RunTask' && isMain(event))
  const times = begins.map(() => 0)
  let frame = -1
  for (const { ts, dur = 0, tdur = 0 } of tasks.sort((one, two) => one.ts - two.ts)) {
    while ((begins[frame + 1] ?? Number.POSITIVE_INFINITY) < ts + dur) frame += 1
    if (frame >= 0) times[frame] = (times[frame] ?? 0) + tdur / 1_000
  }
  return times
}
