import { Signal, useSignal } from '../../../base/state/signal.ts'

const tickMs = 30_000

const now = new Signal(Date.now(), (set) => {
  set(Date.now())
  const timer = setInterval(() => set(Date.now()), tickMs)
  return () => clearInterval(timer)
})

/** The current time in milliseconds, updated every half minute: as precise as the page's dates and countdowns. */
export function useNow(): number {
  return useSignal(now)
}
