import { expect, test } from 'vitest'
import { fileEntry } from '../../../contract/account/file-pages.ts'
import { fileMetadata } from '../../../contract/interface/metadata.ts'
import { optionNames } from '../../../contract/interface/option-values.ts'
import { toFileRecord, toRecordSource } from '../../base/api/metadata-reader.ts'
import { cacheFormat } from './library-cache.ts'
import { wholeEntry } from './testing/whole-entry.ts'

/** The names of all fields, at any depth. */
function fieldsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) ? [] : Object.keys(value)
  return [...own, ...Object.values(value).flatMap(fieldsOf)]
}

test('the format names every stored field of a file, so that none can be added without changing it', () => {
  const stored = fieldsOf(toRecordSource(toFileRecord(wholeEntry, null)))
  expect(stored.length).toBeGreaterThan(20)
  expect(stored.filter((field) => !cacheFormat.split(' ').includes(field))).toEqual([])
})

test('the format names what the contract promises of a file, in its order', () => {
  const promised = [...Object.keys(fileEntry.shape), ...Object.keys(fileMetadata.shape), ...optionNames]
  expect(cacheFormat).toBe(['1', ...promised].join(' '))
})
