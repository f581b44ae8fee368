import { expect, test } from 'vitest'
import { captionStyles } from '../../../formats/captions/caption-rules.ts'
import { type FileRecord, looseMetadata, toFileRecord, withMetadata } from '../../base/api/metadata-reader.ts'
import {
  allRows,
  arrangeRows,
  emptyList,
  type FileList,
  findRow,
  storeCached,
  storeRows,
  unfinishedIds,
} from './library-rows.ts'
import { wholeEntry } from './testing/whole-entry.ts'

const store = (list: FileList, ...records: FileRecord[]) => storeRows(list, { records, problems: [] })

test('a HEAD response, which has metadata alone, replaces those and keeps everything else a page reported', () => {
  const entry = {
    ...wholeEntry,
    caption_rules: captionStyles.bbc,
    heard: { track: 2, tracks: 2, name: 'Guest', channel: null },
  }
  const { id, metadata, ...besides } = entry
  const told = toFileRecord(entry, null)
  const later = { ...metadata, name: 'Renamed', progress_percent: 60 }
  const answer = toFileRecord({ id, metadata: later }, null)
  const { record } = findRow(store(store(emptyList, told), answer), id) ?? {}
  expect(record).toEqual(toFileRecord({ ...entry, metadata: later }, null))
  // The response would have erased each of these fields, so none is checked in vain.
  const keys = Object.keys(answer) as (keyof typeof answer)[]
  const restored = keys.filter((key) => !Object.is(record?.[key], answer[key]) && key !== 'metadata')
  expect(restored).toHaveLength(Object.keys(besides).length)
})

const recordAt = (percent: number, version: number, id = 'x') =>
  toFileRecord({ id, version, metadata: looseMetadata({ name: 'X', progress_percent: percent }) }, null)

test('a record never reverts to an older version, and a file is seen to become ready once', () => {
  const begun = store(emptyList, recordAt(40, 2))
  expect(findRow(store(begun, recordAt(30, 1)), 'x')).toBe(findRow(begun, 'x'))
  const ready = store(begun, recordAt(100, 3))
  const seenAt = findRow(ready, 'x')?.readySeenAt
  expect([findRow(begun, 'x')?.readySeenAt, seenAt]).toEqual([null, expect.any(Number)])
  expect(findRow(store(ready, recordAt(100, 4)), 'x')?.readySeenAt).toBe(seenAt)
})

test('rows are arranged around existing ones, which keep what is known of them', () => {
  const read = store(emptyList, recordAt(40, 2, 'b'))
  const cached = storeCached(read, {
    records: [recordAt(10, 1, 'a'), recordAt(10, 1, 'b')],
    order: ['a', 'b', 'c'],
    version: 1,
    savedAt: 5,
  })
  const led = arrangeRows(cached, ['new', 'a', ...cached.positions.keys()])
  expect(allRows(led).map(({ id, record }) => [id, record?.percent])).toEqual([
    ['new', undefined],
    ['a', 10],
    ['b', 40],
    ['c', undefined],
  ])
  expect(allRows(read)).toHaveLength(1)
})

test('a file read by HEAD before the cache is loaded keeps the project, tags and name that the cache knows', () => {
  const { id, metadata } = wholeEntry
  const answer = toFileRecord({ id, metadata: { ...metadata, progress_percent: 60 } }, null)
  const told = toFileRecord(wholeEntry, null)
  const cache = { records: [told], order: [id], version: 7, savedAt: 5 }
  const list = storeCached(store(emptyList, answer), cache)
  expect(list.version).toBe(7)
  expect(findRow(list, id)?.record).toEqual(withMetadata(told, answer.metadata))
  // What earlier visits stored that way is read again.
  expect(storeCached(emptyList, { ...cache, records: [answer] }).version).toBeNull()
})

test('unfinished files take turns', () => {
  const list = store(emptyList, ...[1, 2, 100, 3].map((n) => recordAt(n, n, `f${n}`)))
  expect([0, 0.99].map((random) => unfinishedIds(list, 2, random))).toEqual([
    ['f1', 'f2'],
    ['f3', 'f1'],
  ])
})
