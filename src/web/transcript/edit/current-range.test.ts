import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tableOf, wordsOf } from '../model/testing/made-words.ts'
import { carrySpan, currentRange, findWords, originalRange } from './current-range.ts'

const base = tableOf(wordsOf('a b c d e f g h'))
const typed = (text: string) =>
  text
    .split(' ')
    .filter((one) => one !== '')
    .map((one) => ({ ...base.word(0), text: one, origin: -1 }))
const replaced = (from: number, to: number, text: string) => base.spliced([{ from, to, words: typed(text) }])
const shown = (table: typeof base, from: number, to: number) => {
  const range = currentRange(table, { from, to }, base.count)
  return table.slice(range.from, range.to)
}

test('a replaced word is found by the words that replaced it, and never by the next one', () => {
  expect(shown(base, 2, 3)).toBe('c')
  expect(shown(replaced(2, 3, 'x'), 2, 3)).toBe('x')
  expect(shown(replaced(2, 3, 'x y z'), 2, 3)).toBe('x y z')
  expect(shown(replaced(2, 3, ''), 2, 3)).toBe('')
  expect(shown(replaced(2, 2, 'x'), 2, 2)).toBe('x')
  expect(shown(replaced(7, 8, 'x'), 7, 8)).toBe('x')
})

test('of neighbouring words that were replaced one for one, only its own is found', () => {
  expect(shown(replaced(1, 5, 'v w x y'), 2, 4)).toBe('w x')
  expect(shown(replaced(6, 8, 'x y'), 6, 7)).toBe('x')
})

test('no word is taken that may stand for another', () => {
  expect(shown(replaced(1, 4, 'x y'), 2, 3)).toBe('')
  fc.assert(
    fc.property(fc.nat(8), fc.nat(8), fc.nat(4), fc.nat(7), (one, other, count, at) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      const table = replaced(from, to, 'x '.repeat(count))
      const range = currentRange(table, { from: at, to: at + 1 }, base.count)
      for (let index = range.from; index < range.to; index++) expect([-1, at]).toContain(table.origins[index])
      if (from <= at && at < to && count !== to - from && to - from > 1) expect(range.to).toBe(range.from)
    }),
  )
})

test('a linked word is found behind words that were inserted before it', () => {
  const linked = (table: typeof base) => {
    const { from, to } = findWords(table, { from: 2, to: 4 })
    return table.slice(from, to)
  }
  expect(linked(replaced(0, 0, 'x y'))).toBe('c d')
  expect(linked(replaced(2, 2, 'x y'))).toBe('c d')
  expect(linked(replaced(4, 4, 'x'))).toBe('c d')
  expect(linked(replaced(3, 3, 'x'))).toBe('c x d')
  expect(linked(replaced(2, 3, 'x'))).toBe('x d')
})

test('a marked span is carried to the same words of a changed text', () => {
  const texts = [base, replaced(0, 0, 'x y'), replaced(2, 3, 'x'), replaced(2, 3, 'x y'), replaced(5, 7, '')]
  for (const before of texts) {
    for (const after of texts) {
      const { from, to } = currentRange(before, { from: 2, to: 3 }, base.count)
      const carried = carrySpan(before, after, { from, to })
      expect(after.slice(carried?.from ?? 0, carried?.to ?? 0)).toBe(shown(after, 2, 3))
    }
  }
  expect(carrySpan(base, replaced(2, 3, ''), { from: 2, to: 3 })).toBeNull()
})

test('of typed words those that they replaced are known, not their neighbours', () => {
  expect(originalRange(replaced(2, 3, 'x y'), { from: 2, to: 4 })).toEqual({ from: 2, to: 3 })
  expect(originalRange(replaced(0, 2, 'x'), { from: 0, to: 1 })).toEqual({ from: 0, to: 2 })
  expect(originalRange(replaced(7, 8, 'x'), { from: 7, to: 8 })).toEqual({ from: 7, to: 8 })
  expect(originalRange(replaced(3, 3, 'x'), { from: 3, to: 4 })).toEqual({ from: 3, to: 3 })
})
