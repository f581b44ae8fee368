import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { refundCents } from './deletion.ts'
import { specDefaultOptions } from './option-values.ts'
import { calculatePrice, centsPerMinute, centsToDecimal, decimalToCents, defaultRates } from './price.ts'

/** The same arithmetic in arbitrary precision: `numerator / denominator`, halves up. */
function exact(numerator: bigint, denominator: bigint): number {
  return Number((2n * numerator + denominator) / (2n * denominator))
}

const options = fc.record({
  transcript_type: fc.constantFrom('automated' as const, 'manual' as const),
  strict_verbatim: fc.constantFrom('on' as const, 'off' as const),
  subtitle_file: fc.constantFrom('on' as const, 'off' as const),
})
/** up to a year */
const durationMs = fc.oneof(fc.nat(7_200_000), fc.nat(31_536_000_000))
const basisPoints = fc.nat(10_000)

it('is pro rata by time, half up to the cent, for any length (decision 11)', async () => {
  await fc.assert(
    fc.property(options, durationMs, basisPoints, (chosen, ms, points) => {
      const all = { ...specDefaultOptions, ...chosen }
      const minute = BigInt(centsPerMinute(defaultRates, all))
      const { costCents, discountCents, totalCents } = calculatePrice(defaultRates, all, ms, points / 100)
      expect(costCents).toBe(exact(minute * BigInt(ms), 60_000n))
      expect(discountCents).toBe(exact(BigInt(costCents) * BigInt(points), 10_000n))
      expect(totalCents).toBe(costCents - discountCents)
      expect(totalCents).toBeGreaterThanOrEqual(0)
    }),
  )
})

it('rounds a half cent up', () => {
  const half = { ...specDefaultOptions, transcript_type: 'automated' as const }
  expect([2_999, 3_000, 8_999, 9_000].map((ms) => calculatePrice(defaultRates, half, ms, 0).costCents)).toEqual([
    0, 1, 1, 2,
  ])
})

it('refunds the unfinished share, never more than was paid and never more at a later progress (decision 10)', async () => {
  await fc.assert(
    fc.property(fc.nat(100_000_000), fc.nat(99), (totalCents, progress) => {
      const refund = refundCents(totalCents, progress)
      expect(refund).toBe(exact(BigInt(totalCents) * BigInt(100 - progress), 100n))
      expect(refund).toBeLessThanOrEqual(totalCents)
      expect(refundCents(totalCents, progress + 1)).toBeLessThanOrEqual(refund)
    }),
  )
  expect([refundCents(227, 0), refundCents(227, 100)]).toEqual([227, 0])
})

it('round-trips through decimal and JSON numbers without losing a cent (spec 2.2)', async () => {
  await fc.assert(
    fc.property(fc.nat(2_000_000_000), (cents) => {
      expect(centsToDecimal(cents)).toMatch(/^\d+\.\d\d$/)
      expect(decimalToCents(centsToDecimal(cents))).toBe(cents)
      expect(decimalToCents(JSON.parse(JSON.stringify(cents / 100)))).toBe(cents)
    }),
  )
})
