import { expect, it } from 'vitest'
import { looseMetadata, toFileRecord } from '../../../base/api/metadata-reader.ts'
import { receiptsCsv } from './receipts-csv.ts'

it('writes receipts that no spreadsheet executes', () => {
  const record = (id: string, name: string) =>
    toFileRecord({ id, metadata: looseMetadata({ name, total: 3, progress_percent: 100, currency: 'USD' }) }, null)
  const csv = receiptsCsv([record('a', '=1+1'), record('b', 'a "b"\r\nc')])
  expect(csv).toContain(`"'=1+1","a"`)
  expect(csv).toContain('"a ""b""\r\nc","b"')
  expect(csv).toContain(',3.00,"USD",')
})
