import { expect, test } from 'vitest'
import { recordOf } from '../api/metadata-reader.ts'
import { FileRows } from './library-rows.ts'
import { wholeEntry } from './testing/whole-entry.ts'

test('an answer to HEAD, which has metadata alone, replaces those and leaves all else that a page told', () => {
  const { id, metadata, ...besides } = wholeEntry
  const told = recordOf(wholeEntry, null)
  const later = { ...metadata, name: 'Renamed', progress_percent: 60 }
  const answer = recordOf({ id, metadata: later }, null)
  const rows = new FileRows()
  rows.take([told])
  rows.take([answer])
  const { record } = rows.get(id) ?? {}
  expect(record).toEqual(recordOf({ ...wholeEntry, metadata: later }, null))
  // Each such field is one that the answer would have erased, so that none is looked at in vain.
  const keys = Object.keys(answer) as (keyof typeof answer)[]
  const restored = keys.filter((key) => !Object.is(record?.[key], answer[key]) && key !== 'metadata')
  expect(restored).toHaveLength(Object.keys(besides).length)
})

test('of two records that cross on their way the newer stays', () => {
  const rows = new FileRows()
  rows.take([recordOf({ ...wholeEntry, version: 9 }, null)])
  rows.take([recordOf({ ...wholeEntry, metadata: { ...wholeEntry.metadata, name: 'Older' } }, null)])
  expect(rows.get(wholeEntry.id)?.record?.metadata.name).toBe(wholeEntry.metadata.name)
})

test('a file that gets ready is told once', () => {
  const at = (progress_percent: number) =>
    recordOf({ id: 'f1', metadata: { ...wholeEntry.metadata, progress_percent } }, null)
  const rows = new FileRows()
  const becameReady = [40, 70, 100, 100].map((percent) => rows.take([at(percent)])[0]?.becameReady)
  expect(becameReady).toEqual([false, false, true, false])
})
