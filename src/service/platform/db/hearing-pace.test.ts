import { expect, test } from 'vitest'
import { HearingPace } from './hearing-pace.ts'

test('a process without measurements has no pace, and each of its sections adds to it', () => {
  const pace = new HearingPace(2)
  expect(pace.pace).toBeNull()
  pace.add(30_000, 6_000)
  expect(pace.pace).toBeCloseTo(10)
})

test('silence, which takes no time, counts only by its length', () => {
  const pace = new HearingPace(1)
  for (let piece = 0; piece < 9; piece += 1) pace.add(30_000, 6_000)
  pace.add(30_000, 5)
  expect(pace.pace).toBeGreaterThan(5)
  expect(pace.pace).toBeLessThan(6.5)
})

test('a recognizer that slows down is noticed after a few pieces', () => {
  const pace = new HearingPace(1)
  for (let piece = 0; piece < 200; piece += 1) pace.add(30_000, 6_000)
  for (let piece = 0; piece < 60; piece += 1) pace.add(30_000, 30_000)
  expect(pace.pace).toBeLessThan(1.1)
})
