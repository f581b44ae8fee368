import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesPerSecond, halfLifeMs, measure, secondsLeft, startMeter } from './speed.ts'

const gaps = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 60 })

describe('speed', () => {
  it('is exact at a constant rate, however irregular the samples', () => {
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 1_000_000 }), (times, rate) => {
        let meter = startMeter(0, 0)
        let at = 0
        for (const gap of times) {
          at += gap
          meter = measure(meter, at, (at * rate) / 1_000)
        }
        expect(bytesPerSecond(meter)).toBeCloseTo(rate, 3)
      }),
    )
  })

  it('stays between the slowest and the fastest sample', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9_000 }), fc.nat(1_000_000)), { minLength: 1 }),
        (steps) => {
          let meter = startMeter(0, 0)
          const speeds = steps.map(([gap, bytes]) => {
            meter = measure(meter, meter.atMs + gap, meter.bytes + bytes)
            return (bytes / gap) * 1_000
          })
          const speed = bytesPerSecond(meter) ?? Number.NaN
          expect(speed).toBeGreaterThanOrEqual(Math.min(...speeds) * 0.999_999)
          expect(speed).toBeLessThanOrEqual(Math.max(...speeds) * 1.000_001)
        },
      ),
    )
  })

  it('is halfway to a new rate after two seconds', () => {
    let meter = startMeter(0, 0)
    for (let second = 1; second <= 60; second += 1) meter = measure(meter, second * 1_000, second * 1_000)
    const before = bytesPerSecond(meter) ?? 0
    const after = bytesPerSecond(measure(meter, meter.atMs + halfLifeMs, meter.bytes)) ?? 0
    expect(after / before).toBeCloseTo(0.5, 6)
  })

  it('is unknown before anything was measured, and time left while nothing moves', () => {
    const meter = startMeter(0, 0)
    expect(bytesPerSecond(meter)).toBeNull()
    expect(secondsLeft(measure(meter, 5_000, 0), 100)).toBeNull()
  })

  it('reports the time left', () => {
    expect(secondsLeft(measure(startMeter(0, 0), 1_000, 4_000), 12_000)).toBeCloseTo(2)
  })
})
