import { expect, test } from 'vitest'
import { Finder, hitFrom } from './finder.ts'

test('find: case, whole words, words across one turn, and letters that grow when folded', () => {
  const text = 'The İstanbul lamp. Lamplight, LAMP\nlamp oil'
  const finder = new Finder({ text })
  const wordAt = (offset: number) => text.slice(0, offset).split(/\s/).length - 1
  const words = (query: string, matchCase = false, wholeWord = false) =>
    [...finder.find(query, { matchCase, wholeWord })].map(wordAt)
  expect(words('lamp')).toEqual([2, 3, 4, 5])
  expect(words('lamp', true)).toEqual([2, 5])
  expect(words('lamp', false, true)).toEqual([2, 4, 5])
  expect(words('lamp oil')).toEqual([5])
  expect(words('lamp lamp')).toEqual([])
  expect(words('  ')).toEqual([])
  expect(words('.*')).toEqual([])
})

test('the first hit after an offset, wrapping around', () => {
  const hits = Uint32Array.of(3, 9, 20)
  expect([0, 3, 4, 21].map((place) => hitFrom(hits, place))).toEqual([0, 0, 1, 0])
  expect(hitFrom(new Uint32Array(0), 5)).toBe(-1)
})
