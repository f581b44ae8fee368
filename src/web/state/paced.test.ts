import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { paced } from './paced.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('tells of the first change at once, of what follows closely once, and of nothing after the end', () => {
  let change = () => {}
  const listener = vi.fn()
  const stop = paced((told) => {
    change = told
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
