import { expect, it } from 'vitest'
import { looseMetadata, toFileRecord } from '../../base/api/metadata-reader.ts'
import { calculateRefund, planDeletion } from './deletion-plan.ts'
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
