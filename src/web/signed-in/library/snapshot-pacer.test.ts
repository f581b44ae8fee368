import { expect, it } from 'vitest'
import { ChangePace } from './snapshot-pacer.ts'

it('shows five changes a second as they arrive, and throttles bursts', () => {
  const pace = new ChangePace()
  for (let second = 0; second < 60; second += 0.2) expect(pace.count(second * 1_000)).toBe(100)
  const burst = Array.from({ length: 60 }, (_, index) => pace.count(60_000 + index * 50))
  expect(burst[0]).toBe(100)
  expect(burst.at(-1)).toBe(1_000)
  expect(pace.count(70_000)).toBe(100)
})
