import { expect, test } from 'vitest'
import { looseMetadata, recordOf } from '../../base/api/metadata-reader.ts'
import { FileRows } from './library-rows.ts'
import { wholeEntry } from './testing/whole-entry.ts'

test('a HEAD response, which has metadata alone, replaces those and keeps everything else a page reported', () => {
  const { id, metadata, ...besides } = wholeEntry
  const told = recordOf(wholeEntry, null)
  const later = { ...metadata, name: 'Renamed', progress_percent: 60 }
  const answer = recordOf({ id, metadata: later }, null)
  const rows = new FileRows()
  rows.put([told])
  rows.put([answer])
  const { record } = rows.get(id) ?? {}
  expect(record).toEqual(recordOf({ ...wholeEntry, metadata: later }, null))
  // The response would have erased each of these fields, so none is checked in vain.
  const keys = Object.keys(answer) as (keyof typeof answer)[]
  const restored = keys.filter((key) => !Object.is(record?.[key], answer[key]) && key !== 'metadata')
  expect(restored).toHaveLength(Object.keys(besides).length)
})

const recordAt = (percent: number, version: number) =>
  recordOf({ id: 'x', version, metadata: looseMetadata({ name: 'X', progress_percent: percent }) }, null)

test('a record never reverts to an older version, and a file becomes ready once', () => {
  const rows = new FileRows()
  expect(rows.put([recordAt(40, 2)])).toMatchObject([{ becameReady: false }])
  expect(rows.put([recordAt(30, 1)])).toEqual([])
  expect(rows.put([recordAt(100, 3)])).toMatchObject([{ becameReady: true }])
  expect(rows.put([recordAt(100, 4)])).toMatchObject([{ becameReady: false }])
  expect(rows.get('x')?.record?.percent).toBe(100)
})

test('files are put before or after existing ones, which keep what is known of them', () => {
  const rows = new FileRows()
  rows.put([{ ...recordAt(40, 2), id: 'b' }])
  rows.follow(['a', 'b', 'c'])
  rows.lead(['new', 'a'])
  expect(rows.all().map(({ id }) => id)).toEqual(['new', 'a', 'b', 'c'])
  expect(rows.get('b')?.record?.percent).toBe(40)
})

test('unfinished files take turns', () => {
  const rows = new FileRows()
  rows.put([1, 2, 3].map((n) => ({ ...recordAt(n, n), id: `f${n}` })))
  expect([rows.unfinished(2), rows.unfinished(2)]).toEqual([
    ['f1', 'f2'],
    ['f3', 'f1'],
  ])
})
