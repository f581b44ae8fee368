import { Signal, useSignal } from '../../../base/state/signal.ts'

const tickMs = 30_000

const now = new Signal(Date.now(), (set) => {
  set(Date.now())
  const timer = setInterval(() => set(Date.now()), tickMs)
  return () => clearInterval(timer)
})

/** The time in milliseconds, updated every half minute: as exact as the dates and countdowns on the page are. */
export function useNow(): number {
  return useSignal(now)
}
