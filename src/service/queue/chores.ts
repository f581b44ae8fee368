import type { Platform } from '../platform.ts'

/** Small periodic work. */
export type Chore = { everyMs: number; run(platform: Platform): Promise<unknown> }

export type Chores = {
  /** Runs all of them now, one after the other. */
  runAll(): Promise<void>
  /** Starts no more, and waits for those under way. */
  close(): Promise<void>
}

/**
 * Runs chores at their intervals of real time; what is due, they read from the platform's clock. None runs twice at
 * once.
 */
export function startChores(platform: Platform, chores: readonly Chore[]): Chores {
  const underWay = new Map<Chore, Promise<void>>()

  async function attempt(chore: Chore): Promise<void> {
    try {
      await chore.run(platform)
    } catch (error) {
      platform.log.warn({ err: error }, 'a chore failed; it will be tried again')
    }
  }

  function run(chore: Chore): Promise<void> {
    const running = underWay.get(chore) ?? attempt(chore).finally(() => underWay.delete(chore))
    underWay.set(chore, running)
    return running
  }

  const timers = chores.map((chore) => setInterval(() => void run(chore), chore.everyMs).unref())
  return {
    async runAll() {
      for (const chore of chores) {
        await underWay.get(chore)
        await run(chore)
      }
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(underWay.values())
    },
  }
}
