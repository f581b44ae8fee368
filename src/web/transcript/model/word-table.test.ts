import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChunkBuilder } from './chunk-builder.ts'
import { allWords, anyWord, anyWords, tableOf, wordsOf } from './testing/made-words.ts'
import { WordTable } from './word-table.ts'

test('words round-trip, and text offsets map to their words', () => {
  fc.assert(
    fc.property(anyWords, (words) => {
      const table = tableOf(words)
      expect(allWords(table)).toEqual(words)
      words.forEach((word, index) => {
        const offset = table.offsetOf(index)
        expect(table.text.slice(offset, offset + word.text.length)).toBe(word.text)
        expect(table.wordAtOffset(offset)).toBe(index)
        expect(table.wordAtOffset(offset + word.text.length)).toBe(index)
      })
    }),
  )
})

test('splicing matches Array.splice, for several spans at once', () => {
  const splices = fc.array(fc.tuple(fc.nat(20), fc.nat(5), fc.array(anyWord, { maxLength: 4 })), { maxLength: 4 })
  fc.assert(
    fc.property(anyWords, splices, (words, wanted) => {
      let from = 0
      const inRange = wanted.flatMap(([skip, length, inserted]) => {
        const at = from + skip
        if (at > words.length) return []
        const removed = Math.min(length, words.length - at)
        from = at + removed + 1
        return [{ from: at, to: at + removed, words: inserted }]
      })
      const expected = [...words]
      for (const { from, to, words: put } of [...inRange].reverse()) expected.splice(from, to - from, ...put)
      const before = tableOf(words)
      expect(allWords(before.spliced(inRange))).toEqual(expected)
      expect(allWords(before)).toEqual(words)
    }),
  )
})

test('appended chunks continue the origins, beyond the initial capacity', () => {
  const table = new WordTable(2)
  for (let chunk = 0; chunk < 5; chunk++) {
    const builder = new ChunkBuilder()
    for (const word of ['a', 'bc', 'd']) builder.add({ word, start: chunk, end: chunk + 1, conf: 0.5 })
    table.append(builder.flush())
  }
  expect(table.slice(0, table.count)).toBe(Array(5).fill('a bc d').join(' '))
  expect([...table.origins.subarray(0, 15)]).toEqual(Array.from({ length: 15 }, (_, index) => index))
  expect(table.slice(3, 3)).toBe('')
})

test('bad records are repaired as far as possible, or skipped and counted', () => {
  const builder = new ChunkBuilder()
  builder.add({ word: 'fine', start: 1, end: 2, duration: 1, conf: 0.5, turn: null, turn_conf: 2 })
  builder.add({ word: 'no times' })
  builder.add({ word: 'text times', start: '3.5', duration: '0.5', conf: 'high' })
  builder.add({ word: 'backwards', start: 9, end: 4, conf: -1 })
  for (const bad of [null, 5, 'word', {}, { word: 7 }, []]) builder.add(bad)
  const table = new WordTable()
  table.append(builder.flush())
  expect(builder.skipped).toBe(6)
  expect(
    allWords(table).map(({ start, end, conf, endsTurn, turnConf }) => [start, end, conf, endsTurn, turnConf]),
  ).toEqual([
    [1, 2, 0.5, true, 1],
    [2, 2, null, false, null],
    [3.5, 4, null, false, null],
    [9, 9, null, false, null],
  ])
})

test('a slice has line breaks between turns and none at its end', () => {
  const table = tableOf(wordsOf('one two|three four'))
  expect(table.slice(0, 4)).toBe('one two\nthree four')
  expect(table.slice(1, 2)).toBe('two')
})

test('typed words have the service’s number of the preceding word', () => {
  const words = wordsOf('a b c d e')
  const typed = { ...(words[0] as (typeof words)[number]), text: 'x', origin: -1 }
  const table = tableOf(words).spliced([
    { from: 1, to: 1, words: [typed, typed] },
    { from: 3, to: 4, words: [] },
  ])
  expect([0, 1, 2, 3, 5].map((index) => table.originOf(index))).toEqual([0, 0, 0, 1, 4])
})
