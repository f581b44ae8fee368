import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { throttled } from './throttled.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('notifies of the first change immediately, of quick successors once, and of none after unsubscribing', () => {
  let change = () => {}
  const listener = vi.fn()
  const stop = throttled((notify) => {
    change = notify
    return () => {
      change = () => {}
    }
  }, 250)(listener)

  change()
  expect(listener).toHaveBeenCalledTimes(1)
  for (let count = 0; count < 10; count += 1) {
    change()
    vi.advanceTimersByTime(20)
  }
  expect(listener).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(50)
  expect(listener).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(1_000)
  expect(listener).toHaveBeenCalledTimes(2)
  change()
  expect(listener).toHaveBeenCalledTimes(3)
  change()
  stop()
  vi.advanceTimersByTime(1_000)
  expect(listener).toHaveBeenCalledTimes(3)
})
