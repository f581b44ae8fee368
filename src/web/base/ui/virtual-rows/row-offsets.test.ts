import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RowOffsets } from './row-offsets.ts'

const usual = 52
/** Heights of rows, most of them standard. */
const heightsOf = (max: number) =>
  fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, fc.integer({ min: 20, max: 90 })), {
    minLength: 1,
    maxLength: max,
  })

function offsetsOf(heights: readonly number[]): RowOffsets {
  const odd = heights.flatMap((height, index) => (height === usual ? [] : [{ index, height }]))
  return new RowOffsets(heights.length, usual, odd)
}

describe('row offsets', () => {
  it('equal the sum of the heights one by one', () => {
    fc.assert(
      fc.property(heightsOf(200), fc.integer({ min: -100, max: 12_000 }), (heights, y) => {
        const offsets = offsetsOf(heights)
        let top = 0
        let at = 0
        for (const [index, height] of heights.entries()) {
          expect(offsets.top(index)).toBe(top)
          if (top <= y) at = index
          top += height
          expect(offsets.heightOf(index)).toBe(height)
        }
        expect(offsets.height).toBe(top)
        expect(offsets.indexAt(y)).toBe(at)
      }),
    )
    expect(new RowOffsets(0, usual, []).indexAt(10)).toBe(-1)
  })

  it('cover any window, on request with a constant number of rows if all have one height', () => {
    const windows = fc.tuple(fc.integer({ min: -300, max: 12_000 }), fc.integer({ min: 100, max: 2_000 }), fc.nat(6))
    fc.assert(
      fc.property(heightsOf(200), windows, (heights, [top, height, overscan]) => {
        const offsets = offsetsOf(heights)
        const { first, end } = offsets.around(top, height, overscan)
        const steady = offsets.steadyAround(top, height, overscan)
        expect(steady.first).toBe(first)
        expect(steady.end).toBeGreaterThanOrEqual(end)
        expect(steady.end).toBeLessThanOrEqual(offsets.count)
        expect(first).toBeLessThanOrEqual(Math.max(0, offsets.indexAt(top) - overscan))
        expect(end).toBeGreaterThanOrEqual(Math.min(offsets.count, offsets.indexAt(top + height) + 1 + overscan))
        expect(end).toBeLessThanOrEqual(offsets.count)
      }),
    )
    const files = new RowOffsets(1_000, usual, [])
    const counts = Array.from({ length: 500 }, (_, step) => files.steadyAround(5_000 + step * 7, 900, 3))
    expect(new Set(counts.map(({ first, end }) => end - first)).size).toBe(1)
  })
})
