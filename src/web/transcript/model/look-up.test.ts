import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Heights } from './heights.ts'
import { matchSpeakers, speakingSeconds } from './speakers.ts'
import { anyWords, tableOf, wordsOf } from './testing/made-words.ts'
import { TimeIndex } from './time-index.ts'

test('heights: positions and blocks agree with plain sums, even after changes', () => {
  const pixels = fc.integer({ min: 1, max: 500 })
  fc.assert(
    fc.property(
      fc.array(pixels, { minLength: 1, maxLength: 50 }),
      fc.array(fc.tuple(fc.nat(), pixels)),
      (all, changes) => {
        const plain = [...all]
        const heights = new Heights(Float64Array.from(all))
        for (const [at, height] of changes) {
          plain[at % plain.length] = height
          heights.set(at % plain.length, height)
        }
        let top = 0
        plain.forEach((height, block) => {
          expect(heights.topOf(block)).toBe(top)
          expect(heights.blockAt(top)).toBe(block)
          expect(heights.blockAt(top + height - 1)).toBe(block)
          top += height
        })
        expect(heights.total).toBe(top)
        expect(heights.blockAt(top + 1_000)).toBe(plain.length - 1)
      },
    ),
  )
})

test('the spoken word is the one that began last, whatever the order and overlap of times', () => {
  fc.assert(
    fc.property(anyWords, fc.double({ min: 0, max: 90_000, noNaN: true }), (words, seconds) => {
      const index = new TimeIndex(tableOf(words))
      const word = index.nearest(seconds)
      const begun = words.filter(({ start }) => start <= seconds)
      if (begun.length > 0) expect(words[word]?.start).toBe(Math.max(...begun.map(({ start }) => start)))
      else if (words.length > 0) expect(words[word]?.start).toBe(Math.min(...words.map(({ start }) => start)))
      else expect(word).toBe(-1)
    }),
  )
})

test('the result changes exactly at nextChange', () => {
  const index = new TimeIndex(
    tableOf(wordsOf('one two|three', (word) => ({ start: word.start * 6, end: word.start * 6 + 0.4 }))),
  )
  for (let seconds = 0; seconds < 9; seconds += 0.125) {
    const next = index.nextChange(seconds)
    expect(next).toBeGreaterThan(seconds)
    if (next - seconds > 0.02) expect(index.spokenAt(next - 0.01)).toBe(index.spokenAt(seconds))
    if (Number.isFinite(next)) expect(index.spokenAt(next)).not.toBe(index.spokenAt(seconds))
  }
})

test('speakers come from the line with the same time and first word; an unmatched turn stays unknown', () => {
  const table = tableOf(wordsOf('good morning all|hello there|yes|bye now'))
  const lines = [
    { startSeconds: 0, speaker: 'Ann', text: 'good morning all' },
    { startSeconds: 1, speaker: 'Bob', text: 'hello there' },
    { startSeconds: 60, speaker: 'Cy', text: 'bye now' },
  ]
  expect(matchSpeakers(table, lines)).toEqual(['Ann', 'Bob'])
  expect([...table.speakers.subarray(0, 8)]).toEqual([0, 0, 0, 1, 1, -1, -1, -1])
  const seconds = speakingSeconds(table, 2)
  expect(seconds[0]).toBeCloseTo(1.2)
  expect(seconds[1]).toBeCloseTo(0.8)
})

test('speakers of a text without times are matched in order', () => {
  const table = tableOf(wordsOf('good morning|hello there|good night'))
  const line = (speaker: string, text: string) => ({ startSeconds: null, speaker, text })
  expect(
    matchSpeakers(table, [line('Ann', 'good morning'), line('Bob', 'hello there'), line('Ann', 'good night')]),
  ).toEqual(['Ann', 'Bob'])
  expect([...table.speakers.subarray(0, 6)]).toEqual([0, 0, 1, 1, 0, 0])
})
