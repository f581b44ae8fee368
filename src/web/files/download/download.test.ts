import { expect, it } from 'vitest'
import { dispositionName } from '../../api/disposition-name.ts'
import { looseMetadata, recordOf } from '../../api/metadata-reader.ts'
import { planDeletion } from '../delete/deletion-plan.ts'
import { receiptsCsv } from '../receipt/receipts-csv.ts'
import { uniqueName } from './zip-entries.ts'

const record = (progress_percent: number, total = 12.5, name = 'Talk') =>
  recordOf(
    { id: `at ${progress_percent}`, metadata: looseMetadata({ name, total, progress_percent, currency: 'USD' }) },
    null,
  )

it('plans deletion by the table of spec 3', () => {
  const plan = planDeletion([record(0), record(59.9), record(60), record(99.9), record(100)])
  expect(plan.refunded.map(({ refundCents }) => refundCents)).toEqual([1250, 513])
  expect(plan.locked.map(({ percent }) => percent)).toEqual([60, 99.9])
  expect(plan.free).toHaveLength(1)
  expect(plan.refundsByCurrency).toEqual(new Map([['USD', 1763]]))
})

it('names each file of an archive differently, also where case is ignored', () => {
  const taken = new Set<string>()
  expect(['a.txt', 'A.txt', 'a.txt', 'b', 'b'].map((name) => uniqueName(name, taken))).toEqual([
    'a.txt',
    'A (2).txt',
    'a (3).txt',
    'b',
    'b (2)',
  ])
})

it('takes the name of Content-Disposition, and nothing that is a path', () => {
  expect(dispositionName(`attachment; filename="Zo?.txt"; filename*=UTF-8''Zo%C3%AB.txt`, 'x')).toBe('Zoë.txt')
  expect(dispositionName('attachment; filename="../../etc/passwd"', 'x')).toBe('passwd')
  expect(dispositionName(null, 'talk.txt')).toBe('talk.txt')
})

it('writes receipts that no spreadsheet runs', () => {
  const csv = receiptsCsv([record(100, 3, '=1+1'), record(100, 3, 'a "b"\r\nc')])
  expect(csv).toContain(`"'=1+1","at 100"`)
  expect(csv).toContain('"a ""b""\r\nc","at 100"')
  expect(csv).toContain(',3.00,"USD",')
})
