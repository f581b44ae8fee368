import type { Platform } from '../platform.ts'
import { doForAllNodes } from './chore-lease.ts'

/** Small periodic work. */
export type Chore = {
  /** where nodes share a database one does it for all; without a name each does it for itself */
  name?: string
  everyMs: number
  /** also as soon as the service has started */
  atStart?: true
  /** makes room on the disk: it also works where that is full */
  frees?: true
  /** @param signal aborted when the service ends, which waits for nobody outside, or another node has taken over */
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

  async function attempt({ name, everyMs, frees, run }: Chore, isDueNow: boolean): Promise<void> {
    const work = (signal: AbortSignal) => {
      const use = () => run(platform, signal)
      return frees ? platform.reserve.use(use) : use()
    }
    try {
      const isShared = platform.config.postgres !== null && name !== undefined
      if (!isShared) await work(stop.signal)
      else {
        const withLease = (lost: AbortSignal) => work(AbortSignal.any([stop.signal, lost]))
        await doForAllNodes(platform, { name, everyMs }, isDueNow, withLease)
      }
    } catch (error) {
      platform.log.warn({ err: error }, 'a chore failed; it will be retried')
    }
  }

  function run(chore: Chore, isDueNow = false): Promise<void> {
    const running = underWay.get(chore) ?? attempt(chore, isDueNow).finally(() => underWay.delete(chore))
    underWay.set(chore, running)
    return running
  }

  const timers = chores.map((chore) => setInterval(() => void run(chore), chore.everyMs).unref())
  for (const chore of chores) if (chore.atStart) void run(chore)
  return {
    async runAll() {
      for (const chore of chores) {
        await underWay.get(chore)
        await run(chore, true)
      }
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      stop.abort()
      await Promise.all(underWay.values())
    },
  }
}
