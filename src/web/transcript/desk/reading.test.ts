import { expect, test } from 'vitest'
import { placeOfDoubt, worstTenth } from '../../../text/doubtful-words.ts'
import { nextDoubt } from '../model/doubtful-words.ts'
import { tableOfLines } from '../model/lines-table.ts'
import { tableOf, wordsOf } from '../model/testing/made-words.ts'
import { barHeights, barsPath } from '../player/bars.ts'
import { findLengthProblem, findMismatch } from '../player/match-recording.ts'

test('doubtful words are visited run by run, in both directions and wrapping around', () => {
  const doubtful = new Set([1, 2, 5])
  const table = tableOf(wordsOf('a b c d e f g', (_, index) => ({ conf: doubtful.has(index) ? 0.3 : 0.9 })))
  expect(nextDoubt(table, 0, 1, 0.5)).toEqual({ from: 1, to: 3 })
  expect(nextDoubt(table, 3, 1, 0.5)).toEqual({ from: 5, to: 6 })
  expect(nextDoubt(table, 6, 1, 0.5)).toEqual({ from: 1, to: 3 })
  expect(nextDoubt(table, 4, -1, 0.5)).toEqual({ from: 1, to: 3 })
  expect(nextDoubt(table, 0, -1, 0.5)).toEqual({ from: 5, to: 6 })
  expect(nextDoubt(table, 0, 1, 0.1)).toBeNull()
  expect(placeOfDoubt(table, 1, 0.5)).toEqual({ place: 1, count: 2 })
  expect(placeOfDoubt(table, 5, 0.5)).toEqual({ place: 2, count: 2 })
})

test('without a threshold set by the reader, the least certain tenth is doubtful, if likely wrong', () => {
  const text = wordsOf(Array.from({ length: 100 }, (_, index) => `w${index}`).join(' '))
  const below = (confOf: (index: number) => number) => {
    const table = tableOf(text.map((word, index) => ({ ...word, conf: confOf(index) })))
    return {
      threshold: worstTenth(table),
      count: table.words(0, 100).filter(({ conf }) => (conf ?? 1) < worstTenth(table)).length,
    }
  }
  expect(below((index) => (index + 0.5) / 200)).toEqual({ threshold: 0.05, count: 10 })
  expect(below(() => 0.3)).toEqual({ threshold: 0.31, count: 100 })
  expect(below(() => 0.9)).toEqual({ threshold: 0.5, count: 0 })
  expect(worstTenth(tableOf([]))).toBe(0)
})

test('lines in progress become turns whose words are timed between the line and the next', () => {
  const { table, names } = tableOfLines([
    { startSeconds: 0, speaker: 'Ann', text: 'one two' },
    { startSeconds: 4, speaker: null, text: ' three ' },
    { startSeconds: null, speaker: 'Ann', text: 'four' },
  ])
  expect(names).toEqual(['Ann'])
  expect(table.words(0, 4).map(({ text, start, speaker, endsTurn }) => [text, start, speaker, endsTurn])).toEqual([
    ['one', 0, 0, false],
    ['two', 2, 0, true],
    ['three', 4, -1, true],
    ['four', 4, 0, true],
  ])
})

test('bars show the peak of their interval, and 0 if nothing is known', () => {
  expect([...barHeights(Float32Array.of(0, 0.5, 0, 0, 0.25, 0), 3)]).toEqual([1, 0, 0.5])
  expect([...barHeights(null, 2)]).toEqual([0, 0])
  expect(barsPath(Float32Array.of(0, 1), 32).match(/M/g)).toHaveLength(2)
})

test('an attached file is matched by size first, then by name', () => {
  const order = { name: 'tape 14', bytes: 1_000 }
  expect(findMismatch({ name: 'renamed.mp3', size: 1_000 }, order)).toBeNull()
  expect(findMismatch({ name: 'tape 14.mp3', size: 900 }, order)).toContain('a different version')
  expect(findMismatch({ name: 'else.mp3', size: 900 }, order)).toContain('a different name')
  const attached = (durationSeconds: number) => findLengthProblem({ durationSeconds, source: 'attached' }, 3_600)?.title
  expect([3_600.2, Number.POSITIVE_INFINITY, 3_601, 3_630].map(attached)).toEqual([
    undefined,
    undefined,
    'What you hear may not fit the words',
    'This may be a different recording',
  ])
  expect(findLengthProblem({ durationSeconds: 1_678, source: 'service' }, 2_400)?.detail).toMatch(/27:58 .* 40:00/)
})
