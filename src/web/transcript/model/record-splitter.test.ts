import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecordSplitter } from './record-splitter.ts'

/** Text containing everything that could be mistaken for the end of a record. */
const awkward = fc.oneof(fc.string(), fc.constantFrom('},{', '"}', '\\', '\\"', ']', '[{', '}\\u007d', '<b>', '😀'))
const records = fc.array(
  fc.record({ word: awkward, start: fc.nat(), nested: fc.constantFrom(undefined, [1, { a: '}' }], { b: [] }) }),
)

function cutAt(text: string, places: readonly number[]): string[] {
  const cuts = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length]
  return cuts.slice(1).map((cut, index) => text.slice(cuts[index], cut))
}

test('records are complete, in order and unique, wherever the text is split into pieces', () => {
  fc.assert(
    fc.property(records, fc.array(fc.nat(), { maxLength: 12 }), fc.constantFrom(0, 2), (wanted, places, indent) => {
      const splitter = new RecordSplitter()
      const text = JSON.stringify(wanted, null, indent)
      const got = cutAt(text, places).flatMap((piece) => splitter.push(piece))
      expect(got).toEqual(JSON.parse(text))
      expect(splitter.end()).toBe('whole')
    }),
  )
})

test('truncated text yields the records before the cut and is reported as such', () => {
  fc.assert(
    fc.property(records, fc.nat(), (wanted, place) => {
      const text = JSON.stringify(wanted)
      const cut = 1 + (place % Math.max(1, text.length - 1))
      if (cut >= text.length) return
      const splitter = new RecordSplitter()
      const got = splitter.push(text.slice(0, cut))
      expect(got).toEqual((JSON.parse(text) as unknown[]).slice(0, got.length))
      expect(splitter.end()).toBe('cut short')
    }),
  )
})

test.each(['', '   ', '<!doctype html><p>[{}]', '{"error":"No such file."}', 'null', '\u0000'])(
  'anything but an array is not a transcript: %j',
  (text) => {
    const splitter = new RecordSplitter()
    expect(splitter.push(text)).toEqual([])
    expect(splitter.end()).toBe('not a transcript')
  },
)

test('an empty array is complete and empty, with and without a byte order mark', () => {
  for (const text of ['[]', '\ufeff [ ] \n']) {
    const splitter = new RecordSplitter()
    expect(splitter.push(text)).toEqual([])
    expect(splitter.end()).toBe('whole')
  }
})

test('unparsable input ends parsing; the records before it are kept', () => {
  const splitter = new RecordSplitter()
  expect(splitter.push('[{"word":"a"},{"word":"b"},{word:c},{"word":"d"}]')).toEqual([{ word: 'a' }, { word: 'b' }])
  expect(splitter.push('{"word":"e"}]')).toEqual([])
})
