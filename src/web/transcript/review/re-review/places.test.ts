import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Blocks } from '../../model/blocks.ts'
import { tableOf, wordsOf } from '../../model/testing/made-words.ts'
import { findSpans, makeBody, Places, toggled, toPlace } from './places.ts'

// A word every half second, 0.4 s long.
const table = tableOf(wordsOf('the old harbour|wall of stone|remember it well'))
const blocks = Blocks.of(table)
const span = (from: number, to: number) => toPlace(table, { from, to })

test('a place has the time of its words, which are found by it again, block by block', () => {
  expect(span(1, 3)).toEqual({ start: 0.5, end: 1.4, text: 'old harbour', note: '' })
  expect(findSpans([span(1, 5)], table, blocks)).toEqual([
    { from: 1, to: 3 },
    { from: 3, to: 5 },
  ])
  fc.assert(
    fc.property(fc.nat(table.count - 1), fc.integer({ min: 1, max: table.count }), (from, length) => {
      const to = Math.min(table.count, from + length)
      const found = findSpans([span(from, to)], table, blocks)
      expect([found[0]?.from, found.at(-1)?.to]).toEqual([from, to])
    }),
  )
})

test('marking a marked place removes the mark, and places are in the order of the recording', () => {
  const [first, last] = [span(0, 2), span(6, 8)]
  const both = toggled(toggled([], last), first)
  expect(both).toEqual([first, last])
  expect(toggled(both, span(1, 3))).toEqual([last])
  const many = Array.from({ length: 200 }, (_, at) => ({ start: 10 + at, end: 10.5 + at, text: '', note: '' }))
  expect(toggled(many, first)).toHaveLength(200)
})

test('notes stay with their places and are sent without surrounding white space', () => {
  const places = new Places()
  expect(places.toggle(span(0, 2))).toBe(true)
  for (const place of places.list.get()) places.change(place, { note: ' A name ' })
  expect(makeBody(places.list.get())).toEqual({ places: [{ start: 0, end: 0.9, note: 'A name' }] })
  expect(places.toggle(span(1, 2))).toBe(false)
  expect(places.list.get()).toEqual([])
})
