import { expect, it } from 'vitest'
import { looseMetadata, takenBackCents, toFileRecord } from '../../base/api/metadata-reader.ts'
import { calculateRefund, noRefundWords, planDeletion } from './deletion-plan.ts'
import { sumsText } from './totals.ts'

const record = (progress_percent: number) =>
  toFileRecord(
    { id: `at ${progress_percent}`, metadata: looseMetadata({ total: 12.5, progress_percent, currency: 'USD' }) },
    null,
  )

it('plans deletion by the table of spec 3', () => {
  const plan = planDeletion([record(0), record(59.9), record(60), record(99.9), record(100)])
  expect(plan.refunded.map(calculateRefund)).toEqual([1250, 513])
  expect(plan.locked.map(({ percent }) => percent)).toEqual([60, 99.9])
  expect(plan.free).toHaveLength(1)
  expect(sumsText(plan.refunded, calculateRefund)).toBe('$17.63')
})

it('promises no refund of what the bank took back', () => {
  const of = (total: number) =>
    toFileRecord(
      { id: 'a', metadata: looseMetadata({ cost: '12.50', discount: '0.00', total, progress_percent: 20 }) },
      null,
    )
  expect(planDeletion([of(12.5), of(8)]).refunded.map(calculateRefund)).toEqual([1000, 640])
  expect(planDeletion([of(0)]).free.map(noRefundWords)).toEqual([
    'The bank took its payment back, so there is nothing to refund.',
  ])
  expect([of(12.5), of(8), of(0)].map(takenBackCents)).toEqual([0, 450, 1250])
})
