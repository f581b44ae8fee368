import type { Platform } from '../platform.ts'

/** Small periodic work. */
export type Chore = {
  everyMs: number
  /** also as soon as the service has started */
  atStart?: true
  /** makes room on the disk: it also works where that is full */
  frees?: true
  /** @param signal aborted when the service ends, which waits for nobody outside */
  run(platform: Platform, signal: AbortSignal): Promise<unknown>
}

export type Chores = {
  /** Runs all of them now, one after the other. */
  runAll(): Promise<void>
  /** Starts no more, tells those under way to end, and waits for them. */
  close(): Promise<void>
}

/**
 * Runs chores at their intervals of real time; what is due, they read from the platform's clock. None runs twice at
 * once.
 */
export function startChores(platform: Platform, chores: readonly Chore[]): Chores {
  const underWay = new Map<Chore, Promise<void>>()
  const stop = new AbortController()

  async function attempt(chore: Chore): Promise<void> {
    try {
      const work = () => chore.run(platform, stop.signal)
      await (chore.frees ? platform.reserve.use(work) : work())
    } catch (error) {
      platform.log.warn({ err: error }, 'a chore failed; it will be retried')
    }
  }

  function run(chore: Chore): Promise<void> {
    const running = underWay.get(chore) ?? attempt(chore).finally(() => underWay.delete(chore))
    underWay.set(chore, running)
    return running
  }

  const timers = chores.map((chore) => setInterval(() => void run(chore), chore.everyMs).unref())
  for (const chore of chores) if (chore.atStart) void run(chore)
  return {
    async runAll() {
      for (const chore of chores) {
        await underWay.get(chore)
        await run(chore)
      }
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      stop.abort()
      await Promise.all(underWay.values())
    },
  }
}
