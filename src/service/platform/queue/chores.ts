import type { Platform } from '../platform.ts'
import { doForAllNodes } from './chore-lease.ts'

/** A scheduled task (cron). */
export type Chore = {
  /** if nodes share a database, one runs it for all; without a name, each runs it for itself */
  name?: string
  everyMs: number
  /** also runs as soon as the service has started */
  atStart?: true
  /** frees disk space: it also works on a full disk */
  frees?: true
  /** @param signal aborted when the service ends, which waits for nothing external, or another node has taken over */
  run(platform: Platform, signal: AbortSignal): Promise<unknown>
}

export type Chores = {
  /** Runs all of them now, sequentially. */
  runAll(): Promise<void>
  /** Starts no more, aborts those in progress, and waits for them. */
  close(): Promise<void>
}

/**
 * Schedules chores at intervals of real time; they read from the platform's clock what is due. None overlaps itself.
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
