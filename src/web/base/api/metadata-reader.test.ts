import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHeaderJson } from '../../../contract/interface/metadata.ts'
import {
  givenUpText,
  isGivenUp,
  looseMetadata,
  MetadataError,
  readMetadataHeader,
  toFileRecord,
  toRecordSource,
} from './metadata-reader.ts'
import { wholeMetadata } from './testing/whole-metadata.ts'

describe('readMetadataHeader', () => {
  it('reads what the contract writes', () => {
    expect(readMetadataHeader(toHeaderJson(wholeMetadata))).toEqual(wholeMetadata)
  })

  it('reads UTF-8 that the browser decoded as Latin-1', () => {
    const bytes = new TextEncoder().encode(JSON.stringify(wholeMetadata))
    expect(readMetadataHeader(String.fromCharCode(...bytes)).name).toBe(wholeMetadata.name)
  })

  it('keeps Latin-1 that is not valid UTF-8', () => {
    expect(readMetadataHeader('{"name":"caf\u00e9"}').name).toBe('caf\u00e9')
  })

  it('refuses a missing header, broken JSON and JSON that is not an object', () => {
    for (const header of [null, '', '{"name": "half', '[]', '"text"', 'null', '7']) {
      expect(() => readMetadataHeader(header)).toThrow(MetadataError)
    }
  })

  it('makes a record of any JSON object without failing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(wholeMetadata), 'more'), fc.jsonValue()), (value) => {
        const metadata = readMetadataHeader(JSON.stringify(value))
        const record = toFileRecord({ id: 'x', metadata }, 1_000)
        expect(Number.isNaN(record.percent) || (record.percent >= 0 && record.percent <= 100)).toBe(true)
        expect(typeof metadata.name).toBe('string')
      }),
    )
  })
})

describe('looseMetadata', () => {
  it('accepts numbers as text and text as numbers, and leaves the rest unknown', () => {
    const metadata = looseMetadata({ seconds: 61, total: '3.50', progress_percent: '40', delay_reason: { code: 4 } })
    expect(metadata).toMatchObject({
      seconds: '61',
      total: 3.5,
      progress_percent: 40,
      delay_reason: '{"code":4}',
      name: '',
    })
    expect(looseMetadata({}).total).toBeNaN()
    expect(looseMetadata({ options: { spelling_style: 'British', speaker_names: 'Ann,Bob' } }).options).toMatchObject({
      spelling_style: 'british',
      speaker_names: ['Ann', 'Bob'],
    })
  })
})

describe('toRecordSource', () => {
  it('returns a source that makes the same record', () => {
    const record = toFileRecord(
      { id: 'x', metadata: wholeMetadata, media_kind: 'video', ready: '2026-11-20T09:00:00.000Z', version: 7 },
      null,
    )
    const kept = JSON.parse(JSON.stringify(toRecordSource(record))) as ReturnType<typeof toRecordSource>
    expect(toFileRecord({ ...kept, metadata: looseMetadata(kept.metadata) }, null)).toEqual(record)
  })
})

describe('isGivenUp', () => {
  it('is told by the service, or by the refund if that is all there is; "refunded" is said only of money', () => {
    const record = (refund_amount: string, given?: true) => {
      const metadata = { ...wholeMetadata, progress_percent: 40, refund_amount }
      return toFileRecord({ id: 'x', metadata, ...(given && { given_up: given }) }, null)
    }
    const told = [record('0.00'), record('0.00', true), record('0.10', true), record('0.10')]
    expect(told.map((one) => isGivenUp(one) && givenUpText(one))).toEqual([
      false,
      'Given up',
      'Given up, refunded',
      'Given up, refunded',
    ])
  })
})
