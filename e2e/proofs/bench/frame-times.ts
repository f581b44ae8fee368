import type { Browser, CDPSession } from '@playwright/test'

/** What is read of the events of a trace. Times in microseconds, `tdur` those of the processor. */
type TraceEvent = { name: string; pid: number; tid: number; ts: number; dur?: number; tdur?: number }

/** The browser's own notes of what its threads do while `run` continues. */
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

/** The thread on which most frames begin: the page's own. */
function mainThreadOf(frames: readonly TraceEvent[]): (event: TraceEvent) => boolean {
  const counts = Map.groupBy(frames, ({ pid, tid }) => `${pid} ${tid}`)
  const [most] = [...counts].sort(([, one], [, two]) => two.length - one.length)
  return ({ pid, tid }) => `${pid} ${tid}` === most?.[0]
}

/**
 * Processor time of the page's main thread in each frame while `run` continues: scripts, style, layout, painting and all
 * else that it does, without the time that other threads and programs had the processor. Milliseconds.
 */
export async function mainThreadFrames(browser: Browser, run: () => Promise<void>): Promise<number[]> {
  const session = await browser.newBrowserCDPSession()
  const events = await traced(session, run)
  await session.detach()
  const frames = events.filter(({ name }) => name === 'ProxyMain::BeginMainFrame')
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
